/* SPDX-License-Identifier: BSD-3-Clause */
/* choices.h - the structure of a plan: one choice for each region. select.c and plan.c set the
 * choices, idf.c reads them. */
#ifndef SISC_CHOICES_H
#define SISC_CHOICES_H

#include "common/request.h"
#include "plan/sis_plan.h"

struct choice { /* for one region */
	bool measured;
	/* its number if it is measured: in source order, from 0 without gaps; see
	 * sis__plan_number */
	uint32_t probe;
	struct metric_set metrics;  /* beyond the default; empty: the default */
	char *names;                /* of the metrics; NULL until sis_plan_choice is called */
	char *why; /* one clause: why it is measured, or why not; NULL: undecided */
	size_t *condition;          /* directives with if(...), of which one must hold */
	size_t conditions;          /* 0: unconditional */
};

struct sis_plan {
	struct sis_ast *ast;
	struct reporter reporter;
	struct choice *choice;      /* by region index */
	size_t regions, directives; /* how many the translation unit has */
};

/* Gives the measured regions their probe numbers and returns how many there are. */
size_t sis__plan_number(struct sis_plan *plan);
/* Both take ownership of `why`, which was malloc'ed. The region gets `metrics` in addition to those
 * that it has. */
void sis__plan_set_measured(struct sis_plan *plan, size_t index, const struct metric_set *metrics,
		     char *why);
void sis__plan_set_unmeasured(struct sis_plan *plan, size_t index, char *why);
/* Adds a condition to a measured region. Returns NULL, or why the if(...) cannot be evaluated. */
const char *sis__plan_add_condition(struct sis_plan *plan, size_t index, size_t directive);
/* Why the region can have no probe; NULL: it can. */
const char *sis__plan_obstacle(const struct sis_ast_region *region);
/* The region that is measured for region `index`: for CR_F of main it is CR_P, else itself. */
size_t sis__plan_measured_as(const struct sis_plan *plan, size_t index);

#endif
