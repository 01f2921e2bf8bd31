/* SPDX-License-Identifier: BSD-3-Clause */
/* steady_counter.h - whether the processor's counter may be the clock: its rate must be constant,
 * and all processors must show the same value. The counter is compared with CLOCK_MONOTONIC_RAW,
 * which nobody sets or slews. */
#ifndef SIS_STEADY_COUNTER_H
#define SIS_STEADY_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The kernel's clock showed `ns` at some moment within `width` ticks around `ticks`. */
struct sis_reading { uint64_t ticks, ns, width; };
void sis__reading_take(struct sis_reading *reading);

/* How many nanoseconds the counter is ahead of the line through two earlier readings. The result is
 * 0 if the difference may come from the width of the readings, or from a slow change of the rate.
 */
int64_t sis__reading_off(const struct sis_reading *first, const struct sis_reading *last,
			 const struct sis_reading *now);

/* The first and the last reading are of one processor, all readings between are of others. Returns
 * the largest difference of these from the line through the first and the last one, in nanoseconds.
 * Differences within the width of the readings, or within UNNOTICED_NS, count as 0. */
int64_t sis__readings_differ(const struct sis_reading *reading, unsigned count);

/* What the kernel, or a test in this process, says about the counter. */
enum sis_counter {
	SIS_COUNTER_NONE,    /* there is no counter, or its rate changes */
	SIS_COUNTER_LISTED,  /* the kernel offers it as a clock source, and watches it */
	SIS_COUNTER_TESTED,  /* not offered, but it agrees on the processors that were tested */
	SIS_COUNTER_DIFFERS, /* it does not agree on all processors */
};
struct sis_counter_test {
	enum sis_counter result;
	unsigned processors; /* number of processors that were tested */
	int64_t off_ns;      /* the largest difference of a processor from the first one */
};
void sis__counter_test(struct sis_counter_test *test);

#pragma GCC visibility pop
#endif
