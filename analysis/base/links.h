/* SPDX-License-Identifier: BSD-3-Clause */
/* links.h - follows symbolic links, but for those that another user may have planted. */
#ifndef SIS_ANALYSIS_LINKS_H
#define SIS_ANALYSIS_LINKS_H

#include "base/err.h"

/* The path without symbolic links, for a file that will be written; the caller frees it. What does
 * not exist is no link. NULL: one of the links is in a directory that all users can write to, and
 * belongs neither to this user nor to the directory's owner. Somebody may have put it there so that
 * we overwrite, or make, a file of this user elsewhere. The kernel follows no such link either, if
 * fs.protected_symlinks is set, but libraries and realpath follow links by themselves. */
char *links_follow(const char *path, struct err *err);

#endif
