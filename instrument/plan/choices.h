/* SPDX-License-Identifier: BSD-3-Clause */
/* choices.h - a plan from inside: one choice for each region. select.c and plan.c decide, idf.c
 * writes it down. */
#ifndef SISC_CHOICES_H
#define SISC_CHOICES_H

#include "common/request.h"
#include "plan/sis_plan.h"

struct choice { /* for one region of the unit */
	bool measured;
	/* no request reaches it, and nothing else keeps it from being measured */
	bool unasked;
	/* its number if measured: dense from 0, in source order; see sis__plan_number */
	uint32_t probe;
	struct metric_set metrics;  /* beyond the default; empty: the default */
	char *names;                /* of the metrics; NULL until sis_plan_choice is called */
	char *why; /* one clause: why it is measured, or why not; NULL: undecided */
	size_t *condition;          /* directives with if(...); one that holds is enough */
	size_t conditions;          /* 0: unconditional */
};

struct sis_plan {
	struct sis_ast *ast;
	struct reporter reporter;
	struct choice *choice;      /* by region index */
	size_t regions, directives; /* of the unit */
};

/* Gives the measured regions their probe numbers and returns how many there are. */
size_t sis__plan_number(struct sis_plan *plan);
/* Both take ownership of `why`, which was malloc'ed. */
void sis__plan_set_measured(struct sis_plan *plan, size_t index, const struct metric_set *metrics,
		     char *why);
void sis__plan_set_unmeasured(struct sis_plan *plan, size_t index, char *why);
/* Adds a condition to a granted region: it is measured only while if(...) of one of its directives
 * holds. Returns NULL, or the reason why this if(...) cannot be evaluated. */
const char *sis__plan_add_condition(struct sis_plan *plan, size_t index, size_t directive);
/* The reason why the region can have no probe, whoever requests one; NULL: none. */
const char *sis__plan_obstacle(const struct sis_ast_region *region);
/* The index of CR_P for the body of main, which is measured as the program; else `index`. */
size_t sis__plan_measured_as(const struct sis_plan *plan, size_t index);

#endif
