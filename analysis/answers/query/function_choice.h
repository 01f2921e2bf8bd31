/* SPDX-License-Identifier: BSD-3-Clause */
/* function_choice.h - decides, from what a run measured, which functions the next build should
 * measure. */
#ifndef SIS_ANALYSIS_FUNCTION_CHOICE_H
#define SIS_ANALYSIS_FUNCTION_CHOICE_H

#include "repository/database/repository.h"

enum function_verdict {
	FUNCTION_KEEP,   /* no advice about it */
	FUNCTION_LEAVE,  /* its probes cost too much */
	/* much of its time is its own: functions that it calls may be worth a probe */
	FUNCTION_INSIDE,
	FUNCTION_VERDICTS
};

struct chosen_function { /* all regions of one name and file */
	char *name, *file;
	int64_t calls, incl_ns, excl_ns; /* excl_ns: only useful work */
	enum function_verdict verdict;
};

struct function_choice {
	char *experiment;
	VEC(struct chosen_function) function; /* those with the shortest activations first */
	double total_ns, before, after;       /* as in struct filter_rules */
	bool reached;                         /* the target */
};

/* Leaves out functions until measuring costs no more than the part `target` of the time. A function
 * stays if the cost of measuring an activation is no more than the part `target` of the
 * activation's length. */
int function_choice_load(struct function_choice *choice, struct repo *repo, int64_t experiment,
			 double target, struct err *err);
void function_choice_release(struct function_choice *choice);

#endif
