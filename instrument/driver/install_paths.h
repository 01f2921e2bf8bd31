/* SPDX-License-Identifier: BSD-3-Clause */
/* install_paths.h - the paths of sisc's own files, installed or in the build tree. */
#ifndef SISC_INSTALL_PATHS_H
#define SISC_INSTALL_PATHS_H

#include "common/base.h"

/* PREFIX of PREFIX/bin/sisc; valid until sisc ends; NULL after an error. */
const char *sis_install_prefix(struct err *err);
/* PREFIX/`name`, to be freed; NULL if the file cannot be read, which is no error. */
char *sis_install_find(const char *prefix, const char *name);
/* The directory that has <sis/sis.h> and nothing else; valid until sisc ends; NULL if it does not
 * exist. */
const char *sis_install_headers(void);

#endif
