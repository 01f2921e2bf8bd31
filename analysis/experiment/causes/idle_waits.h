/* SPDX-License-Identifier: BSD-3-Clause */
/* idle_waits.h - PUs that are idle because the initial thread of their process waits. They wait for
 * the same culprits as the initial thread. So the time that these PUs lose is added to the cost of
 * the initial thread's waits. */
#ifndef SIS_ANALYSIS_IDLE_WAITS_H
#define SIS_ANALYSIS_IDLE_WAITS_H

#include "experiment/model/experiment.h"

struct idle_sum { int64_t booked, idle; }; /* idle: the part of booked that was idle time */
/* by_key: (node and leaf, process) */
struct idle_waits { struct map by_key; VEC(struct idle_sum) sum; };

void idle_waits_init(struct idle_waits *w, const struct experiment *x);
void idle_waits_release(struct idle_waits *w);
/* The cost of a wait of `ns` of the process at the node, including the time that the idle PUs of
 * the process lost. */
int64_t idle_waits_with(const struct idle_waits *w, uint32_t process, uint32_t node,
			enum sis_overhead leaf, int64_t ns);

#endif
