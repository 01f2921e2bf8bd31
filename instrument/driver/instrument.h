/* SPDX-License-Identifier: BSD-3-Clause */
/* instrument.h - makes the instrumented text of one source. */
#ifndef SISC_INSTRUMENT_H
#define SISC_INSTRUMENT_H

#include "driver/compilation.h"

/* Parses the source and fills c->code, which stays empty if nothing is instrumented. Returns -1
 * after an error, which is in `err` or was reported. */
int sis_instrument(struct compilation *c, struct err *err);

/* Makes c->code again, without the functions in which the compiler's messages about c->code are.
 * Returns 1 if it has fewer probes now, 0 if it is of no use, -1 after an error. */
int sis_instrument_again(struct compilation *c, const char *messages, struct err *err);

void sis_instrument_release(struct compilation *c);

#endif
