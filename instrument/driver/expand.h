/* SPDX-License-Identifier: BSD-3-Clause */
/* expand.h - the instrumented text of a source that is preprocessed already. */
#ifndef SISC_EXPAND_H
#define SISC_EXPAND_H

#include "driver/compilation.h"

/* Sets `out` to the text t->code with its prologue and probes expanded. The rest is as in the
 * user's file. If `verify` is true, everything that sisc inserted is left out. `out` stays empty if
 * the compiler cannot preprocess the probes. Returns -1 after an error of sisc itself. */
int sis_expand(const struct compilation *t, bool verify, struct buf *out, struct err *err);

#endif
