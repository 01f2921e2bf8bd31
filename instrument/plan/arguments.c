/* SPDX-License-Identifier: BSD-3-Clause */
/* arguments.c - calls in the arguments of measured calls: in `printf("%d", f())`, f. In
 * libsis-instrument; select.c calls it, once per translation unit.
 * The idea: the probes of printf are around its arguments, which are evaluated where they stand.
 * The time of f must not count as output. So f becomes a region, however small it is, for the
 * metrics and under the conditions of printf. Regions are in the order of their begins, so a
 * decision about a call is made before those about the calls in its arguments. */
#include "plan/arguments.h"

#include <stdlib.h>
#include <string.h>

static bool is_call(const struct sis_ast_region *region)
{
	return region->callee[0] || region->type == CR_S; /* through a pointer: without a callee */
}

/* Whether a routine of schema/calls.def or mpi.def is called. Its time is a part of a leaf. */
static bool is_routine(const struct sis_ast_region *region)
{
	return region->callee[0] && region->type != CR_S;
}

/* The innermost measured call of a routine around region `index`; SIS_AST_NONE: there is none.
 * `around` has the results for the regions before. */
static uint32_t call_around(const struct sis_plan *plan, const uint32_t *around, size_t index)
{
	uint32_t parent = sis_ast_region(plan->ast, index)->parent;
	if (parent == SIS_AST_NONE)
		return SIS_AST_NONE;
	bool is_it = plan->choice[parent].measured &&
		     is_routine(sis_ast_region(plan->ast, parent));
	return is_it ? parent : around[parent];
}

/* Why the call is not measured; NULL: it is. To be freed. */
static char *why_not(struct filter *filter, const struct sis_ast_region *region)
{
	const char *obstacle = sis__plan_obstacle(region);
	const struct sis_filter_rule *rule = sis_filter_excludes(filter, region);
	if (obstacle)
		return sis_format("%s", obstacle);
	if (rule)
		return sis_filter_reason(rule);
	if (region->cost == 0)
		return sis_format("the compiler replaces it by a constant or an instruction; "
				  "--sis-cr=CR_S measures it");
	return NULL;
}

struct conditions { size_t *at, count; };

static void add_condition(struct conditions *list, size_t directive)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->at[i] == directive)
			return;
	list->at = sis_realloc(list->at, list->count + 1, sizeof *list->at);
	list->at[list->count++] = directive;
}

/* The conditions of either choice. None, if one of the two is measured without a condition. */
static struct conditions conditions_of(const struct choice *call, const struct choice *outer)
{
	struct conditions list = { 0 };
	if (outer->conditions == 0 || (call->measured && call->conditions == 0))
		return list;
	for (size_t i = 0; call->measured && i < call->conditions; i++)
		add_condition(&list, call->condition[i]);
	for (size_t i = 0; i < outer->conditions; i++)
		add_condition(&list, outer->condition[i]);
	return list;
}

/* A condition of the outer call can be evaluated wherever the call is. If one cannot, the call is
 * measured without conditions. */
static void measure(struct sis_plan *plan, size_t index, uint32_t outer, char *why)
{
	struct conditions list = conditions_of(&plan->choice[index], &plan->choice[outer]);
	bool known = true;
	sis__plan_set_measured(plan, index, &plan->choice[outer].metrics, sis_format("%s", why));
	for (size_t i = 0; i < list.count; i++)
		known &= sis__plan_add_condition(plan, index, list.at[i]) == NULL;
	if (!known)
		sis__plan_set_measured(plan, index, &plan->choice[outer].metrics,
				       sis_format("%s", why));
	free(list.at);
	free(why);
}

static void choose(struct sis_plan *plan, struct filter *filter, size_t index, uint32_t outer)
{
	const struct sis_ast_region *region = sis_ast_region(plan->ast, index);
	const struct choice *choice = &plan->choice[index];
	char *within = sis_format("in the arguments of %s", sis_ast_region(plan->ast, outer)->name);
	char *not = choice->measured ? NULL : why_not(filter, region);
	if (not)
		sis__plan_set_unmeasured(plan, index, sis_format("%s, but: %s", within, not));
	else
		measure(plan, index, outer,
			choice->measured ? sis_format("%s; %s", choice->why, within) :
					   sis_format("%s", within));
	free(within);
	free(not);
}

void sis__plan_measure_arguments(struct sis_plan *plan, struct filter *filter)
{
	uint32_t *around = sis_alloc(plan->regions, sizeof *around);
	for (size_t i = 0; i < plan->regions; i++) {
		around[i] = call_around(plan, around, i);
		if (around[i] != SIS_AST_NONE && is_call(sis_ast_region(plan->ast, i)))
			choose(plan, filter, i, around[i]);
	}
	free(around);
}
