/* SPDX-License-Identifier: BSD-3-Clause */
/* stdin.h - a source from standard input. */
#ifndef SISC_STDIN_H
#define SISC_STDIN_H

#include "driver/compiler.h"

/* Replaces standard input by a temporary file with the rest of its data. If it cannot be read it
 * stays, and the compiler gives the error. -1: no such file can be made. */
int sis_stdin_keep(struct compiler *compiler, struct err *err);

/* All that standard input holds; it is a file then. 0 or -1. */
int sis_stdin_read(struct text *out, struct err *err);

#endif
