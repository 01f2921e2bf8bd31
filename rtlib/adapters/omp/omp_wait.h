/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_wait.h - divides waits at a barrier by cause; see omp_wait.c. These functions keep no data
 * and read no clock. */
#ifndef SIS_OMP_WAIT_H
#define SIS_OMP_WAIT_H

#include <stdint.h>

struct sis_arrival {
	uint64_t at;     /* ticks: when the member arrived at the barrier */
	/* ticks since its last barrier in code that only it executed; sis__wait_split changes it */
	uint64_t single;
	uint32_t member; /* its index in the team */
	/* results: ticks of its wait that are charged to code that only one member executes */
	uint64_t unpar;  /* in the time when only one member still worked */
	uint64_t part;   /* in times when several members still worked, each in such code */
};

/* Sorts the arrivals of a whole team by time, and sets unpar and part. The rest of a member's wait,
 * which is last arrival - at - unpar - part, is imbalance in code that all members execute. */
void sis__wait_split(struct sis_arrival *arrival, unsigned count);

#endif
