/* SPDX-License-Identifier: BSD-3-Clause */
/* all_costs.c - the costs of all delays, from the functions that find those of one kind each. One
 * thread; owns nothing. */
#include "causes/delay.h"
#include "causes/lacks.h"

void delay_costs_find(const struct experiment *x, struct experiment_causes *c,
		      const struct thread_waits *threads, warning_list *warnings)
{
	const struct timelines *timelines = threads->timelines;
	delay_costs(x, c, threads);
	delay_costs_of_idle(x, c);
	delay_costs_reported(x, c, timelines, warnings);
	delay_costs_of_threads(x, c, timelines);
	delay_costs_unlocated(x, c);
	delay_costs_propagate(x, c);
	delay_costs_chain(x, c, timelines);
	lacks_divide_costs(x, c);
}
