/* SPDX-License-Identifier: BSD-3-Clause */
/* classify_internal.h - functions that the files of experiment/classify/ share. */
#ifndef SIS_ANALYSIS_CLASSIFY_INTERNAL_H
#define SIS_ANALYSIS_CLASSIFY_INTERNAL_H

#include "experiment/model/experiment.h"

/* booking.c: adds time to the booking of (node, PU, leaf). Does nothing if `ns` is 0, or `leaf` is
 * O_NONE. */
void classify_book(struct experiment_classify *c, uint32_t node, uint32_t pu,
		   enum sis_overhead leaf, int64_t ns);

/* idle.c: books the time in which PUs of a process were idle, and the time before and after the
 * process. */
void charge_idle(const struct experiment *x, struct experiment_classify *c,
		 const struct process *process);

/* no_processor.c: moves the time in which threads had no processor to OLOSS_NOCPU. The time is
 * taken from useful work, from data movement, from work for the purposes that are leaves
 * (IS_PURPOSE), and from the begin and end of teams. Called after all processes are booked. */
void take_no_processor(const struct experiment *x, struct experiment_classify *c);
/* asleep.c: moves time in which a thread slept from useful work and from input and output to
 * OLOSS_ASLEEP. The kernel's records of switches show this sleep. The runtime does not know the
 * calls in which it happened. Called after take_no_processor. */
void take_asleep(const struct experiment *x, struct experiment_classify *c);
/* no_processor.c: adds a text that says how the time without a processor was found. Warns if the
 * kernel did not count this time. */
void warn_no_processor(const struct experiment *x, warning_list *warnings);

/* counted_costs.c: books the leaves that are counted, not timed (schema/costs.def). Their time is
 * the number of events times the cost of one event. It is taken from `useful`, the useful work of
 * each node of the process. */
void charge_counted(struct experiment_classify *c, const struct process *process, int64_t *useful);
/* Warns of each counted leaf, with the cost that was used for one event. Called after all processes
 * are booked. */
void warn_counted(const struct experiment_classify *c, warning_list *warnings);

#endif
