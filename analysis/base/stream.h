/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.h - whether all that was put into a stream was written. */
#ifndef SIS_ANALYSIS_STREAM_H
#define SIS_ANALYSIS_STREAM_H

#include <stdio.h>

#include "base/err.h"

/* Writes what is left in the buffer. Returns 0, or the errno of why not everything could be
 * written. After a failure it is of no use to write more. */
int stream_failure(FILE *out);
/* The same as an error; `what` is what the stream has. */
int stream_check(FILE *out, const char *what, struct err *err);

#endif
