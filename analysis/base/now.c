/* SPDX-License-Identifier: BSD-3-Clause */
/* now.c - clocks and sleeping, in nanoseconds (now.h). It has no state; any thread may call it. */
#include "base/now.h"

#include <errno.h>

int64_t clock_now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void sleep_ns(int64_t ns)
{
	struct timespec rest = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
	while (nanosleep(&rest, &rest) != 0 && errno == EINTR)
		;
}
