/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - the clock of the probes. sis__ticks (runtime.h) reads it. */
#ifndef SIS_RT_CLOCK_H
#define SIS_RT_CLOCK_H

#include "base/steady_counter.h"
#include "profile.h"

#pragma GCC visibility push(hidden)

void sis__clock_init(void); /* after the settings are read */
const struct sis_counter_test *sis__clock_test(void);
/* The counter is the clock, and nobody else watches it. */
bool sis__clock_needs_watch(void);
/* From now on CLOCK_MONOTONIC is the clock, at this rate in ticks per nanosecond. It is `ticks`
 * now. */
void sis__clock_leave_counter(uint64_t ticks, double rate);
/* From now on, 1 in n activations is timed in nodes of SIS_RUNG_FRACTION; 0: all nodes are at
 * SIS_RUNG_FULL. */
void sis__clock_sample_one_in(unsigned n);
/* After so many activations a probe calls `over`; 0: never. Threads count without a lock, so some
 * activations may not count. */
void sis__clock_count_visits(unsigned visits, void (*over)(void));
void sis__clock_copy_at(unsigned *timing); /* where the executable's copy of sis__timing is */
void sis__clock_copy_traces(void); /* that copy may be SIS__TRACED */
void sis__clock_mark(struct sis_time_mark *mark); /* now, on all clocks */
/* Ticks per second. */
uint64_t sis__clock_rate(const struct sis_time_mark *from, const struct sis_time_mark *to);

#pragma GCC visibility pop
#endif
