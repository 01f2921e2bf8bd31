/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_wait.h - the causes of waits at a barrier; see omp_wait.c. Pure: no state, no clock. */
#ifndef SIS_OMP_WAIT_H
#define SIS_OMP_WAIT_H

#include <stdint.h>

struct sis_arrival {
	uint64_t at;     /* ticks: when the member arrived at the barrier */
	uint64_t single; /* ticks in code that only it executed since its last barrier; consumed */
	uint32_t member; /* its index in the team */
	/* results: ticks of its wait charged to code that only one member executes, ... */
	uint64_t unpar;  /* ... while one member still worked */
	uint64_t part;   /* ... while several members still worked, each in such code */
};

/* Sorts the arrivals of a whole team by time and fills in unpar and part. The rest of a member's
 * wait, last arrival - at - unpar - part, is imbalance of what all execute. */
void sis__wait_split(struct sis_arrival *arrival, unsigned count);

#endif
