/* SPDX-License-Identifier: BSD-3-Clause */
/* verify.h - checks that an instrumented text consists of its source and of probes only. */
#ifndef SISC_VERIFY_H
#define SISC_VERIFY_H

#include "driver/compilation.h"

/* *difference is NULL if there is none. Else it describes the difference, in words that complete a
 * note; to be freed. Returns -1 after an error of sisc itself. */
int sis_verify(struct compilation *t, char **difference, struct err *err);

#endif
