/* SPDX-License-Identifier: BSD-3-Clause */
/* preprocess.h - preprocesses the source, or its instrumented text. */
#ifndef SISC_PREPROCESS_H
#define SISC_PREPROCESS_H

#include "driver/compile_command.h"

/* Runs the compiler's preprocessor with the user's options on the source, or on the instrumented
 * text without everything that sisc inserted. Its messages are dropped. *status is from wait. */
enum preprocess_what { PREPROCESS_SOURCE, PREPROCESS_TEXT };
int sis_preprocess(struct compilation *t, enum preprocess_what which, struct buf *out, int *status,
		   struct err *err);

#endif
