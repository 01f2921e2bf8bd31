/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.h - tells whether everything that was put into a stream was written. */
#ifndef SIS_ANALYSIS_STREAM_H
#define SIS_ANALYSIS_STREAM_H

#include <stdio.h>

#include "base/err.h"

/* Writes the bytes that are still in the stream's buffer. Returns 0 or, if not all bytes of the
 * stream could be written, the errno of the reason. After a failure, further output is lost,
 * too. */
int stream_failure(FILE *out);
/* As stream_failure, but fills `err` if there was a failure. `what` names the contents of the
 * stream. */
int stream_check(FILE *out, const char *what, struct err *err);

#endif
