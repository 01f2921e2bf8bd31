/* SPDX-License-Identifier: BSD-3-Clause */
/* temporary.h - files that are removed when sisc ends; after SIGKILL, when the user's next sisc
 * makes its first temporary file. */
#ifndef SISC_TEMPORARY_H
#define SISC_TEMPORARY_H

#include <sys/types.h>

#include "common/base.h"

/* A new file name that ends in `name`, or in the end of a long one, in a directory of this process
 * that the first call makes. NULL: error. */
const char *sis_temporary_name(const char *name, struct err *err);
/* The same in a directory of its own, so that the file's name is exactly `name`. */
const char *sis_temporary_exact_name(const char *name, struct err *err);
/* Removes all. */
void sis_temporary_clear(void);
/* Sets the compiler that runs now; 0: none. It gets each signal that ends sisc, too. */
void sis_temporary_child(pid_t child);

#endif
