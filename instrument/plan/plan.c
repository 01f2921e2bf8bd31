/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.c - the interface sis_plan.h, except for select.c. In libsis-instrument; called by sisc's
 * compile.c, by plugins and by other tools. One thread per plan.
 * The idea: directives, options and plugins only set choices (choices.c). At the end, probe
 * numbers, marks and the text are made from the choices. */
#include "plan/choices.h"
#include "plan/idf.h"

#include <stdlib.h>
#include <string.h>

struct sis_plan *sis_plan_new(struct sis_ast *ast, sis_ast_report *report, void *context)
{
	struct sis_plan *plan = mem_alloc(1, sizeof *plan);
	plan->ast = ast;
	plan->reporter = (struct reporter){ report, context };
	plan->regions = sis_ast_region_count(ast);
	plan->directives = sis_ast_directive_count(ast);
	plan->choice = mem_alloc(plan->regions, sizeof *plan->choice);
	return plan;
}

void sis_plan_free(struct sis_plan *plan)
{
	for (size_t i = 0; plan && i < plan->regions; i++) {
		free(plan->choice[i].why);
		free(plan->choice[i].names);
		free(plan->choice[i].condition);
		sis_words_release(&plan->choice[i].metrics.native);
	}
	if (plan)
		free(plan->choice);
	free(plan);
}

struct sis_ast *sis_plan_ast(const struct sis_plan *plan)
{
	return plan->ast;
}

/* -- decisions --------------------------------------------------------------------------------- */

int sis_plan_measure(struct sis_plan *plan, size_t index, const char *metrics, const char *why)
{
	size_t measured = sis__plan_measured_as(plan, index);
	const char *obstacle = sis__plan_obstacle(sis_ast_region(plan->ast, measured));
	struct request request = { .reporter = &plan->reporter };
	if (sis_request_add_lists(&request, NULL, metrics) < 0)
		return -1;
	if (measured != index)
		sis__plan_set_unmeasured(plan, index, mem_print("measured as CR_P"));
	if (obstacle)
		sis__plan_set_unmeasured(plan, measured, mem_print("%s", obstacle));
	else
		sis__plan_set_measured(plan, measured, &request.metrics, mem_print("%s", why));
	sis_words_release(&request.metrics.native);
	return obstacle ? -1 : 0;
}

void sis_plan_leave(struct sis_plan *plan, size_t index, const char *why)
{
	sis_words_release(&plan->choice[index].metrics.native);
	plan->choice[index].metrics = (struct metric_set){ 0 };
	sis__plan_set_unmeasured(plan, index, mem_print("%s", why));
}

struct sis_plan_choice sis_plan_choice(const struct sis_plan *plan, size_t index)
{
	struct choice *choice = &plan->choice[index];
	if (!choice->names)
		choice->names = sis_metric_set_names(&choice->metrics);
	return (struct sis_plan_choice){ choice->measured, choice->measured ? choice->names : "",
					 choice->why ? choice->why : "" };
}

static bool is_switch(const struct sis_ast_directive *directive)
{
	switch (directive->kind) {
	case SIS_AST_MEASURE_OFF:
	case SIS_AST_MEASURE_ON:
	case SIS_AST_TRACE_START:
	case SIS_AST_TRACE_STOP:
		return directive->function[0] != '\0';
	default:
		return false;
	}
}

bool sis_plan_acts(const struct sis_plan *plan)
{
	bool acts = sis_plan_measured(plan) > 0;
	for (size_t i = 0; i < plan->directives && !acts; i++)
		acts = is_switch(sis_ast_directive(plan->ast, i));
	return acts;
}

void sis_plan_report(const struct sis_plan *plan, enum sis_ast_severity severity,
		     const struct sis_ast_position *where, const char *message)
{
	sis_report_to(&plan->reporter, severity, where, "%s", message);
}

void sis_plan_explain(const struct sis_plan *plan, FILE *file)
{
	for (size_t i = 0; i < plan->regions; i++) {
		const struct sis_ast_region *region = sis_ast_region(plan->ast, i);
		struct sis_plan_choice choice = sis_plan_choice(plan, i);
		const char *metrics = choice.metrics[0] ? choice.metrics : "the default metrics";
		sis_print_line(file, "%s:%u:%u: %s %s: %s%s: %s", region->begin.file,
			       region->begin.line, region->begin.column,
			       sis_region_table[region->type].name, region->name,
			       choice.measured ? "measured for " : "not measured",
			       choice.measured ? metrics : "",
			       choice.why[0] ? choice.why : "not asked for");
	}
}

/* -- output ------------------------------------------------------------------------------------ */

char *sis_plan_idf(struct sis_plan *plan, const struct sis_plan_facts *facts)
{
	struct buf json = { 0 };
	sis__plan_number(plan);
	sis_idf_add_tu(&json, facts, plan);
	return json.at;
}

int sis_plan_source(struct sis_plan *plan, const struct sis_plan_facts *facts, char **text,
		    size_t *length, char **message)
{
	struct buf prologue = { 0 };
	char *json = sis_plan_idf(plan, facts);
	buf_add(&prologue, "");
	if (sis_plan_acts(plan)) /* else the text only has the section `sis_blame` */
		sis_idf_add_prologue(&prologue,
				     facts->probe_header ? facts->probe_header : "sis/probe.h",
				     json, plan);
	for (size_t i = 0; i < plan->regions; i++) {
		const struct choice *choice = &plan->choice[i];
		sis_ast_mark(plan->ast, i, choice->probe);
		for (size_t k = 0; k < choice->conditions; k++)
			sis_ast_condition(plan->ast, i, choice->condition[k]);
	}
	enum sis_ast_status status = sis_ast_emit(plan->ast, prologue.at, text, length, message);
	buf_release(&prologue);
	free(json);
	return status == SIS_AST_OK ? 0 : -1;
}
