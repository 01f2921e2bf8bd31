/* SPDX-License-Identifier: BSD-3-Clause */
/* links.h - follows symbolic links, except links that another user may have planted. */
#ifndef SIS_ANALYSIS_LINKS_H
#define SIS_ANALYSIS_LINKS_H

#include "base/err.h"

/* Returns the path without symbolic links, for a file that will be written; the caller frees it. If
 * a part of the path does not exist, it is kept as it is. After a failure, the result is NULL and
 * `err` is filled. One kind of failure is a suspicious link. Such a link is in a directory that all
 * users can write to, and belongs neither to this user nor to the directory's owner. Somebody may
 * have planted the link to make SIS overwrite or create a file of this user elsewhere. With
 * fs.protected_symlinks the kernel refuses such links. But the kernel cannot do this for libraries
 * and realpath, which follow links by themselves. */
char *links_follow(const char *path, struct err *err);

#endif
