/* SPDX-License-Identifier: BSD-3-Clause */
/* verify.h - checks that an instrumented text is its source and probes, and nothing else. */
#ifndef SISC_VERIFY_H
#define SISC_VERIFY_H

#include "driver/compilation.h"

/* *difference: NULL, or what differs, as the end of a note; to be freed. -1: a problem of our
 * own. */
int sis_verify(struct compilation *t, char **difference, struct err *err);

#endif
