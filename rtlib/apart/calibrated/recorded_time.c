/* SPDX-License-Identifier: BSD-3-Clause */
/* recorded_time.c - reads the total of a node in the profile, to compute which part of the cost of
 * a region's probes is in the region's own time. Compiled with SIS_CALIBRATED for the measured
 * program, and without it for the plain one. Called by the program's only thread. */
#include "apart/calibrated/recorded_time.h"

#ifdef SIS_CALIBRATED
#include "base/state.h"

unsigned long long recorded_ticks(void)
{
	const struct sis_thread *self = (const struct sis_thread *)sis__self;
	const struct sis_node *node = self->pub.current->last_child;
	return node->total;
}
#else
unsigned long long recorded_ticks(void) { return 0; }
#endif
