/* SPDX-License-Identifier: BSD-3-Clause */
/* arguments.c - calls in the arguments of measured calls, such as f in `printf("%d", f())`. In
 * libsis-instrument; select.c calls it, once per translation unit.
 * The idea: the probes of printf are around its arguments, which are evaluated where they stand.
 * The time of f must not count as output. So f becomes a region even if it is small, for the
 * metrics and under the conditions of printf. Regions are in the order of their begins, so the
 * decision about a call is made before the decisions about the calls in its arguments. */
#include "plan/arguments.h"

#include <stdlib.h>
#include <string.h>

/* Why the call is not measured, to be freed; NULL if it is measured. */
static char *why_not(struct filter *filter, const struct sis_ast_region *region)
{
	const char *obstacle = sis__plan_obstacle(region);
	const struct sis_filter_rule *rule = sis_filter_excludes(filter, region);
	if (obstacle)
		return mem_print("%s", obstacle);
	if (rule)
		return sis_filter_reason(rule);
	if (region->cost == 0)
		return mem_print("the compiler replaces it by a constant or an instruction; "
				  "--sis-cr=CR_S measures it");
	return NULL;
}

struct conditions { size_t *at, count; };

static void add_condition(struct conditions *list, size_t directive)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->at[i] == directive)
			return;
	list->at = mem_resize(list->at, list->count + 1, sizeof *list->at);
	list->at[list->count++] = directive;
}

/* Measures a call in the arguments of an outer call. The call gets its own conditions and those of
 * the outer call. If the call or the outer call is measured without a condition, the call gets no
 * condition. The same holds if a condition cannot be evaluated at the call. */
static void measure(struct sis_plan *plan, size_t index, uint32_t outer, char *why)
{
	const struct choice *own = &plan->choice[index], *around = &plan->choice[outer];
	struct conditions list = { 0 };
	bool known = true;
	if (around->conditions && (!own->measured || own->conditions)) {
		for (size_t i = 0; own->measured && i < own->conditions; i++)
			add_condition(&list, own->condition[i]);
		for (size_t i = 0; i < around->conditions; i++)
			add_condition(&list, around->condition[i]);
	}
	sis__plan_set_measured(plan, index, &plan->choice[outer].metrics, mem_print("%s", why));
	for (size_t i = 0; i < list.count; i++)
		known &= sis__plan_add_condition(plan, index, list.at[i]) == NULL;
	if (!known)
		sis__plan_set_measured(plan, index, &plan->choice[outer].metrics,
				       mem_print("%s", why));
	free(list.at);
	free(why);
}

static void choose(struct sis_plan *plan, struct filter *filter, size_t index, uint32_t outer)
{
	const struct sis_ast_region *region = sis_ast_region(plan->ast, index);
	const struct choice *choice = &plan->choice[index];
	char *within = mem_print("in the arguments of %s", sis_ast_region(plan->ast, outer)->name);
	char *not = choice->measured ? NULL : why_not(filter, region);
	if (not)
		sis__plan_set_unmeasured(plan, index, mem_print("%s, but: %s", within, not));
	else
		measure(plan, index, outer,
			choice->measured ? mem_print("%s; %s", choice->why, within) :
					   mem_print("%s", within));
	free(within);
	free(not);
}

void sis__plan_measure_arguments(struct sis_plan *plan, struct filter *filter)
{
	/* by region: the innermost measured call of a routine around it; SIS_AST_NONE: none */
	uint32_t *around = mem_alloc(plan->regions, sizeof *around);
	for (size_t i = 0; i < plan->regions; i++) {
		const struct sis_ast_region *region = sis_ast_region(plan->ast, i);
		uint32_t parent = region->parent;
		around[i] = SIS_AST_NONE;
		if (parent != SIS_AST_NONE) {
			const struct sis_ast_region *outer = sis_ast_region(plan->ast, parent);
			/* a routine of schema/calls.def or mpi.def, whose time is a part of a
			 * leaf */
			bool routine = outer->callee[0] && outer->type != CR_S;
			around[i] = routine && plan->choice[parent].measured ? parent :
									       around[parent];
		}
		/* a call through a pointer has no callee */
		if (around[i] != SIS_AST_NONE && (region->callee[0] || region->type == CR_S))
			choose(plan, filter, i, around[i]);
	}
	free(around);
}
