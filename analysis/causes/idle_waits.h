/* SPDX-License-Identifier: BSD-3-Clause */
/* idle_waits.h - PUs that are idle because the initial thread of their process waits. They wait for
 * the same culprits. So its waits cost as much more as these PUs lost. */
#ifndef SIS_ANALYSIS_IDLE_WAITS_H
#define SIS_ANALYSIS_IDLE_WAITS_H

#include "model/experiment.h"

struct idle_sum { int64_t booked, idle; }; /* idle: the part of booked that was idle time */
struct idle_waits { struct map by_place; VEC(struct idle_sum) sum; }; /* of (node, leaf), process */

void idle_waits_init(struct idle_waits *w, const struct experiment *x);
void idle_waits_release(struct idle_waits *w);
/* What a wait of `ns` of the process at the node cost, with that of its idle PUs. */
int64_t idle_waits_with(const struct idle_waits *w, uint32_t process, uint32_t node,
			enum sis_overhead leaf, int64_t ns);

#endif
