/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - converts ticks of a process to nanoseconds on the clock of the first process. */
#ifndef SIS_ANALYSIS_CLOCK_H
#define SIS_ANALYSIS_CLOCK_H

#include <stdint.h>

#include "experiment/model/warnings.h"

struct experiment_model;

struct clock { /* a line through (ticks, ns) with the slope ns_span / ticks_span */
	uint64_t ticks, ticks_span;
	int64_t ns, ns_span;
};

/* clock_ns converts a moment, clock_span_ns a length of time. */
int64_t clock_ns(const struct clock *clock, uint64_t ticks);
int64_t clock_span_ns(const struct clock *clock, uint64_t ticks);
/* Shifts the clocks of processes on other hosts, so that they agree with the clock of the first
 * process. */
void clock_sync(struct experiment_model *m, warning_list *warnings);

#endif
