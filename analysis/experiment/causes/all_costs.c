/* SPDX-License-Identifier: BSD-3-Clause */
/* all_costs.c - finds all delay costs: calls one function for each kind of delay. Called by one
 * thread; owns nothing. */
#include "experiment/causes/delay.h"
#include "experiment/causes/lacks.h"
#include "experiment/causes/law.h"

void delay_costs_find(const struct experiment *x, struct experiment_causes *c,
		      const struct thread_waits *threads, warning_list *warnings)
{
	const struct timelines *timelines = threads->timelines;
	law_begin(x, c);
	delay_costs(x, c, threads);
	delay_costs_of_idle(x, c);
	delay_costs_reported(x, c, timelines, warnings);
	delay_costs_of_threads(x, c, timelines);
	delay_costs_unlocated(x, c);
	delay_costs_chain(x, c, timelines);
	lacks_divide_costs(x, c);
}
