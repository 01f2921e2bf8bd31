/* SPDX-License-Identifier: BSD-3-Clause */
/* compile_instrumented.h - compiles an instrumented text to the user's output, with the diagnostics
 * of the source. */
#ifndef SISC_COMPILE_INSTRUMENTED_H
#define SISC_COMPILE_INSTRUMENTED_H

#include "driver/compilation.h"

/* Compiles t->code, or the source if there is no code. If the compiler rejects the text, the output
 * is that of the source, and a note says so. If the compiler fails, job->status has the status.
 * Returns -1 after an error of sisc itself. */
int sis_compile_instrumented(struct compilation *t, struct err *err);

#endif
