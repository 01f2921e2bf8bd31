/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - clocks of processes: from ticks to nanoseconds on the clock of the first process. */
#ifndef SIS_ANALYSIS_CLOCK_H
#define SIS_ANALYSIS_CLOCK_H

#include <stdint.h>

#include "model/warnings.h"

struct experiment_model;

struct clock { /* maps ticks to nanoseconds: a line through one point, with this slope */
	uint64_t ticks, ticks_span;
	int64_t ns, ns_span;
};

int64_t clock_ns(const struct clock *clock, uint64_t ticks);
int64_t clock_span_ns(const struct clock *clock, uint64_t ticks);
/* Moves the clocks of other hosts to that of the first process. */
void clock_sync(struct experiment_model *m, warning_list *warnings);

#endif
