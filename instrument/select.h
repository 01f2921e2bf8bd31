/* select.h - which code regions of a unit are measured, for what, and why. */
#ifndef SISC_SELECT_H
#define SISC_SELECT_H

#include <stdio.h>

#include "options.h"
#include "request.h"

struct choice { /* for one region of the unit */
	bool measured;
	uint32_t probe;             /* its number if measured: dense from 0, in source order */
	struct metric_set metrics;  /* beyond the default; empty: the default */
	char *why;                  /* one clause: why, or why not */
};

struct selection {
	struct choice *choice;      /* by region index */
	size_t regions;
	size_t measured;
};

/* Fills `selection`. -1: a directive or option is wrong (reported). */
int sis_select(struct selection *selection, const struct ast_library *library, const struct sis_ast *ast,
	       const struct options *options, bool openmp);

/* Whether the --sis-cr and --sis-pmetric lists are right, without a unit. */
int sis_select_check_options(const struct options *options);

/* --sis-explain: a line for each region. */
void sis_select_explain(const struct selection *selection, const struct ast_library *library, const struct sis_ast *ast,
			FILE *file);

void sis_selection_release(struct selection *selection);

#endif
