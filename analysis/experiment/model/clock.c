/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.c - converts ticks of a process to nanoseconds of the run. The functions change no data.
 * They compute with 128 bits and limit the result, so that damaged ticks cannot make a sum
 * overflow. */
#include "experiment/model/experiment.h"

#define LONGEST_NS (INT64_C(1) << 60)

static int64_t scaled(const struct clock *clock, __int128 ticks)
{
	__int128 product = ticks * clock->ns_span, half = clock->ticks_span / 2;
	__int128 ns = (product + (product < 0 ? -half : half)) / clock->ticks_span;
	return ns > LONGEST_NS ? LONGEST_NS : ns < -LONGEST_NS ? -LONGEST_NS : (int64_t)ns;
}

int64_t clock_ns(const struct clock *clock, uint64_t ticks)
{
	return clock->ns + scaled(clock, (__int128)ticks - clock->ticks);
}

int64_t clock_span_ns(const struct clock *clock, uint64_t ticks)
{
	return scaled(clock, ticks);
}
