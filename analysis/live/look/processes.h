/* SPDX-License-Identifier: BSD-3-Clause */
/* processes.h - the processes of a run that may still run, and the regions that they have turned
 * off. */
#ifndef SIS_ANALYSIS_LIVE_PROCESSES_H
#define SIS_ANALYSIS_LIVE_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"

struct live_turn {   /* the last change of a region: turned off or on, or to another rung */
	char *region, *function;
	char *by;        /* what changed it: rule, budget */
	char *state;     /* off, on, or the rung: full, fraction, sampled */
};

struct live_process {
	uint32_t pid;
	char *host;
	bool runs;       /* result of alive() */
	int64_t obeyed;  /* number of bytes of the file `control` that it has obeyed */
	VEC(struct live_turn) turn;
};

typedef VEC(struct live_process) live_processes;

/* Reads the profiles of the directory. On failure there is nothing to release. */
int live_processes_read(live_processes *list, const char *directory, struct err *err);
void live_processes_release(live_processes *list);

#endif
