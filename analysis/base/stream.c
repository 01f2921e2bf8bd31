/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c - checks the output of a stream (stream.h). It has no state; any thread may call it. */
#include "base/stream.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* stdio does not keep the errno of an earlier write that failed. So another write is tried, which
 * fails for the same reason. */
int stream_failure(FILE *out)
{
	bool failed = ferror(out);
	errno = 0;
	if (fflush(out) == 0 && !failed)
		return 0;
	if (errno)
		return errno;
	clearerr(out);
	return (putc('\n', out) == EOF || fflush(out) != 0) && errno ? errno : EIO;
}

int stream_check(FILE *out, const char *what, struct err *err)
{
	int failure = stream_failure(out);
	return failure ? err_fail(err, "cannot write %s: %s; make room, or write it to another "
				  "place", what, strerror(failure))
		       : 0;
}
