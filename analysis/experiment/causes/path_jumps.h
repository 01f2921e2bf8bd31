/* SPDX-License-Identifier: BSD-3-Clause */
/* path_jumps.h - finds the moments at which the critical path goes from one processing unit to
 * another. */
#ifndef SIS_ANALYSIS_PATH_JUMPS_H
#define SIS_ANALYSIS_PATH_JUMPS_H

#include "experiment/causes/thread_waits.h"

struct path_jump { /* at `time`, `unit` could go on, because `other` had done its part */
	uint32_t unit, other;
	int64_t time;
};
struct path_jumps {
	VEC(struct path_jump) jump; /* sorted by unit and time */
	size_t *first;              /* by unit: index of its first jump; then the number of jumps */
};

void path_jumps_init(struct path_jumps *j, const struct experiment *x,
		     const struct thread_waits *threads);
void path_jumps_release(struct path_jumps *j);
/* The unit's last jump before `time`; NULL if there is none. */
const struct path_jump *path_jumps_before(const struct path_jumps *j, uint32_t unit, int64_t time);

#endif
