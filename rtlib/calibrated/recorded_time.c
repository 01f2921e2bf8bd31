/* SPDX-License-Identifier: BSD-3-Clause */
/* recorded_time.c - reads the total of a node as it is in the profile, to tell what a region's own
 * time has of its probes. Compiled with SIS_CALIBRATED for the measured program, without it for the
 * plain one. The program's only thread. */
#include "calibrated/recorded_time.h"

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
