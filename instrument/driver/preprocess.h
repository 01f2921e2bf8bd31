/* SPDX-License-Identifier: BSD-3-Clause */
/* preprocess.h - the source, or its instrumented text, after preprocessing. */
#ifndef SISC_PREPROCESS_H
#define SISC_PREPROCESS_H

#include "driver/compile_command.h"

/* What the compiler's preprocessor makes of the source, or of the instrumented text without all
 * that sisc inserted, with the user's options. Its messages are dropped. *status is as wait gives
 * it. */
enum preprocess_what { PREPROCESS_SOURCE, PREPROCESS_TEXT };
int sis_preprocess(struct compilation *t, enum preprocess_what which, struct text *out, int *status,
		   struct err *err);

#endif
