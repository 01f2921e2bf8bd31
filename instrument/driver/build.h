/* SPDX-License-Identifier: BSD-3-Clause */
/* build.h - a whole command line: every input, then the link. */
#ifndef SISC_BUILD_H
#define SISC_BUILD_H

#include "driver/compile.h"

/* job->status gets the compiler's result. -1: an error of sisc itself, in `err` or reported. */
int sis_build(struct job *job, struct err *err);

/* Prints to stderr what was not instrumented, and why. */
void sis_report_notes(const struct job *job);

#endif
