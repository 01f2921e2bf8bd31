/* SPDX-License-Identifier: BSD-3-Clause */
/* temporary.h - temporary files, which are removed when sisc ends. After SIGKILL, the user's next
 * sisc removes them when it makes its first temporary file. */
#ifndef SISC_TEMPORARY_H
#define SISC_TEMPORARY_H

#include <sys/types.h>

#include "common/base.h"

/* A new file name that ends in `name` or, if `name` is too long, in the last part of `name`. The
 * file is in a directory of this process, which the first call makes. Returns NULL after an
 * error. */
const char *sis_temporary_name(const char *name, struct err *err);
/* A new file name in a directory of its own, so that the file's name is exactly `name`. */
const char *sis_temporary_exact_name(const char *name, struct err *err);
/* Removes all temporary files. */
void sis_temporary_clear(void);
/* Tells the signal handler which compiler runs now; `child` is 0 if no compiler runs. The handler
 * passes each signal that ends sisc on to this compiler. */
void sis_temporary_child(pid_t child);

#endif
