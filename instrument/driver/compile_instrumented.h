/* SPDX-License-Identifier: BSD-3-Clause */
/* compile_instrumented.h - from an instrumented text to the output that the user asked for, with
 * the source's diagnostics. */
#ifndef SISC_COMPILE_INSTRUMENTED_H
#define SISC_COMPILE_INSTRUMENTED_H

#include "driver/compilation.h"

/* Compiles it. On success there is an output: if the compiler refuses the text, that of the source,
 * and a note says so. Or the compiler failed, and job->status tells how. -1: a problem of our
 * own. */
int sis_compile_instrumented(struct compilation *t, struct err *err);

#endif
