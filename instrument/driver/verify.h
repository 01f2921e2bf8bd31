/* SPDX-License-Identifier: BSD-3-Clause */
/* verify.h - checks that an instrumented text is its source and probes, and nothing else. */
#ifndef SISC_VERIFY_H
#define SISC_VERIFY_H

#include "driver/compilation.h"

/* *difference: NULL, or a description of the difference, the end of a note; to be freed. -1: an
 * error of sisc itself. */
int sis_verify(struct compilation *t, char **difference, struct err *err);

#endif
