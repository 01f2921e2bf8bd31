/* SPDX-License-Identifier: BSD-3-Clause */
/* live_run.h - the processes of a run that may still be running, and what they have turned off. */
#ifndef SIS_ANALYSIS_LIVE_RUN_H
#define SIS_ANALYSIS_LIVE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"

struct live_turn {   /* the last time that a region was turned off or on, or its rung changed */
	char *region, *function;
	char *by;        /* rule, budget */
	char *state;     /* off, on, or the rung: full, fraction, sampled */
};

struct live_process {
	uint32_t pid;
	char *host;
	bool runs;       /* on another host it may have been killed all the same */
	int64_t obeyed;  /* bytes of the file `control` */
	VEC(struct live_turn) turn;
};

typedef VEC(struct live_process) live_run;

/* Reads the profiles of the directory. On failure there is nothing to release. */
int live_run_read(live_run *run, const char *directory, struct err *err);
void live_run_release(live_run *run);
/* The directory in which the process writes its profile; the caller frees it. NULL: it is not
 * measured, or not ours. */
char *live_run_of_process(uint32_t pid);

#endif
