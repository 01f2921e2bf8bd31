/* SPDX-License-Identifier: BSD-3-Clause */
/* stdin.h - a source from standard input. */
#ifndef SISC_STDIN_H
#define SISC_STDIN_H

#include "driver/compiler.h"

/* Replaces standard input by a temporary file with its data. If standard input cannot be read, it
 * is not replaced, and the compiler gives the error. -1: the file cannot be made. */
int sis_stdin_keep(struct compiler *compiler, struct err *err);

/* Reads standard input from its begin, after sis_stdin_keep. 0 or -1. */
int sis_stdin_read(struct text *out, struct err *err);

#endif
