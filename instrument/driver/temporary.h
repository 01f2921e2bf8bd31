/* SPDX-License-Identifier: BSD-3-Clause */
/* temporary.h - files that are removed when sisc ends; after SIGKILL, when the user's next sisc
 * starts. */
#ifndef SISC_TEMPORARY_H
#define SISC_TEMPORARY_H

#include <sys/types.h>

#include "common/base.h"

/* A new file name ending in `name`, in a directory of our own that the first call makes. NULL:
 * error. */
const char *sis_temporary_name(const char *name, struct err *err);
/* The same in a directory that holds nothing else, so that it is called exactly `name`. */
const char *sis_temporary_exact_name(const char *name, struct err *err);
/* Removes all. */
void sis_temporary_clear(void);
/* The compiler that runs now (0: none): a signal that ends us is passed on to it. */
void sis_temporary_child(pid_t child);

#endif
