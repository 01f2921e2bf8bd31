/* SPDX-License-Identifier: BSD-3-Clause */
/* variable_blame.h - the samples of a run (SIS_BLAME): from their files to the variables that they
 * were spent for. */
#ifndef SIS_ANALYSIS_VARIABLE_BLAME_H
#define SIS_ANALYSIS_VARIABLE_BLAME_H

#include "blame/blame.h"
#include "store/store_blame.h"

struct variable_blame {
	bool sampled;            /* there are samples; else the rest is empty */
	struct flow_program program;
	struct placed placed;
	struct blame blame;
	struct blame_rows rows;  /* for store_blame */
};

/* `routines`: NULL, those that are built in. What fails costs the samples that it concerns, and is a
 * warning in x->warning. */
void variable_blame_find(struct variable_blame *v, struct experiment *x,
			 const struct routines *routines);
void variable_blame_release(struct variable_blame *v);

#endif
