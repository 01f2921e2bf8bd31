/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_wait.h - the causes of waits at a barrier; see omp_wait.c. Pure: no state, no clock. */
#ifndef SIS_OMP_WAIT_H
#define SIS_OMP_WAIT_H

#include <stdint.h>

struct sis_arrival {
	uint64_t at;     /* ticks: when the member arrived at the barrier */
	uint64_t single; /* ticks in code that only it executed since its last barrier; consumed */
	uint32_t member; /* its index in the team */
	/* result: ticks of its wait in which one member executed code that only one executes */
	uint64_t unpar;
	uint64_t part;   /* result: the same for several members, but not all */
};

/* Sorts the arrivals of a whole team by time and fills in unpar and part. The rest of a member's
 * wait, last arrival - at - unpar - part, is imbalance of what all execute. */
void sis__wait_split(struct sis_arrival *arrival, unsigned count);

#endif
