/* SPDX-License-Identifier: BSD-3-Clause */
/* verify.h - checks that an instrumented text consists of its source and of probes only. */
#ifndef SISC_VERIFY_H
#define SISC_VERIFY_H

#include "driver/compilation.h"

struct difference {
	char *text;     /* in words that complete a note, to be freed; NULL: there is none */
	char file[256]; /* position in the source */
	unsigned line;
};

/* Returns -1 after an error of sisc itself. */
int sis_verify(struct compilation *t, struct difference *difference, struct err *err);

#endif
