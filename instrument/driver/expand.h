/* SPDX-License-Identifier: BSD-3-Clause */
/* expand.h - the instrumented text of a source that is preprocessed already. */
#ifndef SISC_EXPAND_H
#define SISC_EXPAND_H

#include "driver/compilation.h"

/* The text t->code with its prologue and the probes written out; all else is as the user's file has
 * it. `verify`: without all that sisc inserted. Stays empty if the compiler does not preprocess the
 * probes. -1: a problem of our own. */
int sis_expand(const struct compilation *t, bool verify, struct text *out, struct err *err);

#endif
