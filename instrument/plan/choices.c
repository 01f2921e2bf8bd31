/* SPDX-License-Identifier: BSD-3-Clause */
/* choices.c - the decision about each region of a plan: whether the region is measured, why, for
 * which metrics, and under which conditions. In libsis-instrument; one thread per plan. plan.c,
 * select.c and idf.c call it. */
#include "plan/choices.h"

#include <stdlib.h>
#include <string.h>

static void decide(struct choice *choice, bool measured, char *why)
{
	free(choice->why);
	free(choice->names);
	free(choice->condition);
	choice->why = why;
	choice->names = NULL;
	choice->condition = NULL;
	choice->conditions = 0;
	choice->measured = measured;
}

void sis__plan_set_measured(struct sis_plan *plan, size_t index, const struct metric_set *metrics,
		     char *why)
{
	decide(&plan->choice[index], true, why);
	sis_metric_set_unite(&plan->choice[index].metrics, metrics);
}

void sis__plan_set_unmeasured(struct sis_plan *plan, size_t index, char *why)
{
	decide(&plan->choice[index], false, why);
}

const char *sis__plan_add_condition(struct sis_plan *plan, size_t index, size_t directive)
{
	struct choice *choice = &plan->choice[index];
	const char *why = sis_ast_condition(plan->ast, index, directive);
	if (why)
		return why;
	choice->condition =
		mem_resize(choice->condition, choice->conditions + 1, sizeof *choice->condition);
	choice->condition[choice->conditions++] = directive;
	return NULL;
}

const char *sis__plan_obstacle(const struct sis_ast_region *region)
{
	return region->measure_off ? "between measure disable and enable" : region->obstacle;
}

size_t sis__plan_measured_as(const struct sis_plan *plan, size_t index)
{
	const struct sis_ast_region *region = sis_ast_region(plan->ast, index);
	bool is_main = region->type == CR_F && region->parent != SIS_AST_NONE &&
		       strcmp(region->function, "main") == 0 &&
		       sis_ast_region(plan->ast, region->parent)->type == CR_P;
	return is_main ? region->parent : index;
}

size_t sis_plan_measured(const struct sis_plan *plan)
{
	size_t measured = 0;
	for (size_t i = 0; i < plan->regions; i++)
		measured += plan->choice[i].measured;
	return measured;
}

size_t sis__plan_number(struct sis_plan *plan)
{
	uint32_t number = 0;
	for (size_t i = 0; i < plan->regions; i++)
		plan->choice[i].probe = plan->choice[i].measured ? number++ : SIS_AST_NONE;
	return number;
}
