/* SPDX-License-Identifier: BSD-3-Clause */
/* installed.h - where this program is installed. */
#ifndef SIS_ANALYSIS_INSTALLED_H
#define SIS_ANALYSIS_INSTALLED_H

#include <stddef.h>

/* Writes the path of the folder lib, which is beside the folder of this program, into `path`. The
 * path is cut if there is no room for it. */
void installed_lib(char *path, size_t size);

#endif
