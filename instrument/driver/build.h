/* SPDX-License-Identifier: BSD-3-Clause */
/* build.h - a whole command line: every input, then the link. */
#ifndef SISC_BUILD_H
#define SISC_BUILD_H

#include "driver/compile.h"

/* job->status gets the compiler's result. Returns -1 after an error of sisc itself. Such an error
 * is in `err` or was reported. */
int sis_build(struct job *job, struct err *err);

#endif
