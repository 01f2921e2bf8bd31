/* SPDX-License-Identifier: BSD-3-Clause */
/* steady_counter.h - whether the processor's counter may be the clock: it has to run at one rate,
 * and to agree on all processors. The measure is CLOCK_MONOTONIC_RAW, which nobody sets or slews.
 */
#ifndef SIS_STEADY_COUNTER_H
#define SIS_STEADY_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The clock was `ns` within `width` ticks around `ticks`. */
struct sis_reading { uint64_t ticks, ns, width; };
void sis__reading_take(struct sis_reading *reading);

/* How many nanoseconds the counter is ahead of the line through two earlier readings; 0: no more
 * than the width of the readings and a slow change of the rate explain. */
int64_t sis__reading_off(const struct sis_reading *first, const struct sis_reading *last,
			 const struct sis_reading *now);

/* The first and the last reading are of one processor, the others of other processors. Returns the
 * most nanoseconds that one of them is off; 0: as above. */
int64_t sis__readings_differ(const struct sis_reading *reading, unsigned count);

/* What the kernel, or a test of this process, says of the counter. */
enum sis_counter {
	SIS_COUNTER_NONE,    /* none, or one whose rate changes */
	SIS_COUNTER_LISTED,  /* the kernel offers it as a clock source, and watches it */
	SIS_COUNTER_TESTED,  /* the kernel does not; it agrees on the processors that were tested */
	SIS_COUNTER_DIFFERS, /* it does not agree on all processors */
};
struct sis_counter_test {
	enum sis_counter result;
	unsigned processors; /* that were tested */
	int64_t off_ns;      /* the most that one of them was off */
};
void sis__counter_test(struct sis_counter_test *test);

#pragma GCC visibility pop
#endif
