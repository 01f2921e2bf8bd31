/* SPDX-License-Identifier: BSD-3-Clause */
/* classify_internal.h - what the files of classify/ share. */
#ifndef SIS_ANALYSIS_CLASSIFY_INTERNAL_H
#define SIS_ANALYSIS_CLASSIFY_INTERNAL_H

#include "model/experiment.h"

/* booking.c: adds time to (node, PU, leaf). Ignores 0. */
void classify_book(struct experiment_classify *c, uint32_t node, uint32_t pu,
		   enum sis_overhead leaf, int64_t ns);

/* idle.c: books the time in which PUs of a process had nothing to do. */
void charge_idle(const struct experiment *x, struct experiment_classify *c,
		 const struct process *process);

/* no_processor.c: moves the time that threads had no processor to OLOSS_NOCPU, out of useful work
 * and data movement. Called after all processes. */
void take_no_processor(const struct experiment *x, struct experiment_classify *c);
/* Moves the time in which work slept to OLOSS_ASLEEP, where the kernel's records of switches say so
 * and no call is known that slept. Called after take_no_processor. */
void take_asleep(const struct experiment *x, struct experiment_classify *c);
/* Says how it is known. Warns if the kernel did not count it. */
void warn_no_processor(const struct experiment *x, warning_list *warnings);

/* counted_costs.c: leaves that are counted, not timed (schema/costs.def). The number of events
 * times the cost of one is moved to them out of `useful`, the useful work of each node of the
 * process. */
void charge_counted(struct experiment_classify *c, const struct process *process, int64_t *useful);
/* Warns of each counted leaf, with the cost that was used for one event. Called after all
 * processes. */
void warn_counted(const struct experiment_classify *c, warning_list *warnings);

#endif
