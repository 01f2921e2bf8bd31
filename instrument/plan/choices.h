/* SPDX-License-Identifier: BSD-3-Clause */
/* choices.h - the structure of a plan: one choice for each region. select.c, arguments.c and plan.c
 * set the choices, and idf.c reads them. */
#ifndef SISC_CHOICES_H
#define SISC_CHOICES_H

#include "common/request.h"
#include "plan/sis_plan.h"

struct choice { /* for one region */
	bool measured;
	/* number of its probe, if it is measured: in source order, from 0 without gaps; see
	 * sis__plan_number */
	uint32_t probe;
	struct metric_set metrics;  /* beyond the default; empty: the default */
	char *names;                /* of the metrics; NULL until sis_plan_choice is called */
	char *why; /* one clause: why it is measured, or why not; NULL: undecided */
	size_t *condition;          /* directives with if(...); one of them must hold */
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
/* Both functions take ownership of `why`, which was malloc'ed. sis__plan_set_measured adds
 * `metrics` to the metrics that the region has. */
void sis__plan_set_measured(struct sis_plan *plan, size_t index, const struct metric_set *metrics,
		     char *why);
void sis__plan_set_unmeasured(struct sis_plan *plan, size_t index, char *why);
/* Adds a condition to a measured region. Returns NULL, or why the if(...) cannot be evaluated. */
const char *sis__plan_add_condition(struct sis_plan *plan, size_t index, size_t directive);
/* Why the region can have no probe; NULL if it can have one. */
const char *sis__plan_obstacle(const struct sis_ast_region *region);
/* The region that is measured in place of region `index`: for the CR_F of main it is CR_P; for any
 * other region it is the region itself. */
size_t sis__plan_measured_as(const struct sis_plan *plan, size_t index);

#endif
