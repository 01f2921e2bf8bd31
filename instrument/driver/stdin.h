/* stdin.h - a source that comes by standard input. */
#ifndef SISC_STDIN_H
#define SISC_STDIN_H

#include "driver/compiler.h"

/* Makes standard input a temporary file that holds what is left to be read of it. What cannot be read stays as it is, for the
 * compiler to report. -1: no such file can be made. */
int sis_stdin_keep(struct compiler *compiler, struct err *err);

/* All that standard input holds; it is a file then. 0 or -1. */
int sis_stdin_read(struct text *out, struct err *err);

#endif
