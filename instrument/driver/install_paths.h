/* SPDX-License-Identifier: BSD-3-Clause */
/* install_paths.h - the paths of sisc's own files, relative to its executable, installed or in the
 * build tree. */
#ifndef SISC_INSTALL_PATHS_H
#define SISC_INSTALL_PATHS_H

#include "common/base.h"

/* PREFIX of PREFIX/bin/sisc; lives to the end. NULL: error. */
const char *sis_install_prefix(struct err *err);
/* PREFIX/`name` if that file can be read. To be freed; NULL: not there, without an error. */
char *sis_install_find(const char *prefix, const char *name);
/* The directory in which #include <sis/sis.h> is found, and nothing else; lives to the end. NULL:
 * it is not there. */
const char *sis_install_headers(void);

#endif
