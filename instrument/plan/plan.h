/* plan.h - a plan from inside: what plan.c keeps, select.c decides and idf.c writes. */
#ifndef SISC_PLAN_H
#define SISC_PLAN_H

#include "common/request.h"
#include "plan/sis_plan.h"

struct choice { /* for one region of the unit */
	bool measured;
	bool unasked;               /* no request reaches it, and nothing else keeps it from being measured */
	uint32_t probe;             /* its number if measured: dense from 0, in source order; see sis__plan_number */
	struct metric_set metrics;  /* beyond the default; empty: the default */
	char *names;                /* of the metrics, for who asks; NULL until then */
	char *why;                  /* one clause: why, or why not; NULL: nobody decided */
	size_t *condition;          /* directives whose if(...) it depends on: any of them */
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
/* Both take `why` over, which was malloc'ed. */
void sis__plan_grant(struct sis_plan *plan, size_t index, const struct metric_set *metrics, char *why);
void sis__plan_refuse(struct sis_plan *plan, size_t index, char *why);
/* The region, which was granted, is measured only when if(...) of the directive holds, or of another one. NULL, or why
 * that cannot be evaluated. */
const char *sis__plan_add_condition(struct sis_plan *plan, size_t index, size_t directive);
/* The reason that forbids a probe wherever it is asked for; NULL: none. */
const char *sis__plan_obstacle(const struct sis_ast_region *region);
/* main's function body is a region inside the program; the program stands for both. Its index, or the same. */
size_t sis__plan_stand_in(const struct sis_plan *plan, size_t index);

#endif
