/* SPDX-License-Identifier: BSD-3-Clause */
/* stdin.h - a source from standard input. */
#ifndef SISC_STDIN_H
#define SISC_STDIN_H

#include "driver/compiler.h"

/* Replaces standard input by a temporary file with the same data. Standard input that cannot be
 * read is not replaced, so the compiler gives the error. Returns -1 if the file cannot be made. */
int sis_stdin_keep(struct compiler *compiler, struct err *err);

/* Reads standard input from its begin. Called after sis_stdin_keep. 0 or -1. */
int sis_stdin_read(struct buf *out, struct err *err);

#endif
