/* SPDX-License-Identifier: BSD-3-Clause */
/* function_choice.h - which functions the next build should measure, after what a run measured. */
#ifndef SIS_ANALYSIS_FUNCTION_CHOICE_H
#define SIS_ANALYSIS_FUNCTION_CHOICE_H

#include "repository/repository.h"

enum function_verdict {
	FUNCTION_KEEP,   /* nothing is said about it */
	FUNCTION_LEAVE,  /* its probes cost too much */
	/* much time is in it alone: functions that it calls may be worth a probe */
	FUNCTION_INSIDE,
	FUNCTION_VERDICTS
};

struct chosen_function { /* all its regions of one name and file */
	char *name, *file;
	int64_t calls, incl_ns, excl_ns; /* excl_ns: useful work alone */
	enum function_verdict verdict;
};

struct function_choice {
	char *experiment;
	VEC(struct chosen_function) function; /* those with the shortest activations first */
	double total_ns, before, after;       /* as in struct filter_rules */
	bool reached;                         /* the target */
};

/* Leaves out functions until measuring costs no more than the part `target` of the time. A function
 * stays if measuring an activation costs no more than this part of the length of the activation. */
int function_choice_load(struct function_choice *choice, struct repo *repo, int64_t experiment,
			 double target, struct err *err);
void function_choice_release(struct function_choice *choice);

#endif
