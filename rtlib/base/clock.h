/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - the clock of the probes. sis__ticks (runtime.h) reads it. */
#ifndef SIS_RT_CLOCK_H
#define SIS_RT_CLOCK_H

#include "base/steady_counter.h"
#include "profile.h"

#pragma GCC visibility push(hidden)

void sis__clock_init(void); /* after the settings are read */
const struct sis_counter_test *sis__clock_test(void);
/* Whether the counter is the clock, but is not watched by the kernel. */
bool sis__clock_needs_watch(void);
/* Makes CLOCK_MONOTONIC the clock. The clock shows `ticks` now, and runs at `rate` ticks per
 * second. */
void sis__clock_leave_counter(uint64_t ticks, uint64_t rate);
/* From now on, one in n activations of nodes with SIS_RUNG_FRACTION is timed. If n is 0, all nodes
 * have SIS_RUNG_FULL. */
void sis__clock_sample_one_in(unsigned n);
/* After `visits` activations a probe calls `over`; if `visits` is 0, no probe does. Threads count
 * without a lock, so some activations may not be counted. */
void sis__clock_count_visits(unsigned visits, void (*over)(void));
void sis__clock_copy_at(unsigned *timing); /* `timing` is the executable's copy of sis__timing */
void sis__clock_copy_traces(void); /* from now on the executable's copy may be SIS__TRACED */
void sis__clock_mark(struct sis_time_mark *mark); /* reads all clocks now */
/* The ticks per second between the two marks. */
uint64_t sis__clock_rate(const struct sis_time_mark *from, const struct sis_time_mark *to);

#pragma GCC visibility pop
#endif
