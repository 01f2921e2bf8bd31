/* SPDX-License-Identifier: BSD-3-Clause */
/* select.c - decides which code regions get probes, as sisc does. In libsis-instrument; runs once
 * per translation unit.
 * The idea: directives, options and defaults all become requests. A region is measured if requests
 * cover it, for the union of their metrics. */
#include "common/earlier_run.h"
#include "plan/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits of the cost, in statements and operations. A function with a smaller cost is not measured
 * unless CR_F or its name is requested. A pair of probes costs about 60, and must not add more than
 * a quarter. For a function that is called in loops the limit is higher: such a function is
 * measured only if it has a loop of its own, which counts as 1000. Otherwise its time counts for
 * the function that has the loop around the call. */
enum { TINY_STATEMENTS = 240, TINY_IN_LOOPS = 1000 };

/* The limit for functions that are used by a function in which an earlier run found much time. Here
 * probes may take up to twice the function's time. */
enum { TINY_INSIDE = 30 };

/* Nanoseconds of one statement or operation. A pair of probes takes 18 ns and counts as 60
 * operations. */
#define STATEMENT_NS 0.3

struct selection {
	struct sis_plan *plan;
	const struct sis_ast *ast;
	size_t regions, directives;
	struct request *request;
	size_t requests;
	size_t *of_directive;  /* by directive: the index of its request; `requests`: none */
	struct filter filter;
	struct earlier_run earlier;
	/* by number of function: the line `inside` of a function that uses this function; NULL:
	 * there is no such line */
	const struct earlier_line **inside;
	bool openmp;
};

static struct request *new_request(struct selection *sel, const char *origin)
{
	sel->request = mem_resize(sel->request, sel->requests + 1, sizeof *sel->request);
	struct request *request = &sel->request[sel->requests++];
	*request = (struct request){ .origin = origin, .reporter = &sel->plan->reporter };
	return request;
}

/* -- requests of directives -------------------------------------------------------------------- */

static int add_directive(struct selection *sel, size_t index)
{
	const struct sis_ast_directive *directive = sis_ast_directive(sel->ast, index);
	if (directive->kind != SIS_AST_CR_BEGIN && directive->kind != SIS_AST_CR_GLOBAL)
		return 0;
	struct request *request = new_request(sel, "directive");
	request->directive = directive;
	request->directive_index = index;
	request->reach = directive->kind == SIS_AST_CR_BEGIN ? REACH_SCOPE :
			 directive->function[0]		     ? REACH_FUNCTION :
							       REACH_FILE;
	int failed = sis_request_add_types(request, directive->items, directive->item_positions);
	failed |= sis_request_add_metrics(request, directive->metrics, directive->metric_positions);
	/* `cr WTIME begin` probably requests a metric, and does not name a region */
	size_t length = strlen(directive->name);
	if (sis_metric_by_name(directive->name, length) ||
	    sis_overhead_by_name(directive->name, length))
		sis_report_to(&sel->plan->reporter, SIS_AST_WARNING, &directive->name_position,
			      "the region is named '%s', like a metric; metrics follow 'pmetric'",
			      directive->name);
	if (!request->has_types && !request->has_metrics && !directive->name[0])
		sis_report_to(&sel->plan->reporter, SIS_AST_WARNING, &directive->position,
			   "directive ignored: it names neither code regions nor metrics");
	return failed;
}

/* Whether the directive requests its own region alone. */
static bool is_only_named(const struct request *request)
{
	return request->directive && request->directive->name[0] && !request->has_types;
}

/* The first request from number `i` on that may cover the region; sel->requests: none. The request
 * of the options comes first, then those of directives in their order, then the default. Directives
 * that do not reach the region are not tested one by one, because the time for that would grow with
 * the number of directives times the number of regions. */
static size_t next_request(const struct selection *sel, size_t index, size_t i)
{
	const struct sis_ast_region *region = sis_ast_region(sel->ast, index);
	if (i >= sel->requests || !sel->request[i].directive)
		return i;
	size_t last = sel->requests - (sel->request[sel->requests - 1].directive == NULL);
	size_t found = sis_ast_next_directive(sel->ast, index, sel->request[i].directive_index);
	size_t next = found < sel->directives ? sel->of_directive[found] : last;
	bool named = region->directive != SIS_AST_NONE;
	size_t own = named ? sel->of_directive[region->directive] : sel->requests;
	return own >= i && own < next ? own : next;
}

/* Makes the requests, and fills of_directive, which next_request needs. */
static int collect_requests(struct selection *sel, const struct sis_plan_options *options)
{
	bool replaced = false;
	struct request *request = new_request(sel, options->regions ? "--sis-cr" : "--sis-pmetric");
	int failed = sis_request_add_lists(request, options->regions, options->metrics);
	for (size_t i = 0; i < sel->directives; i++)
		failed |= add_directive(sel, i);
	/* a directive that only names its region adds to the default; any other one replaces it */
	for (size_t i = 0; i < sel->requests; i++)
		replaced |= !is_only_named(&sel->request[i]) &&
			    (sel->request[i].has_types || sel->request[i].has_metrics);
	if (!replaced)
		sis_request_add_defaults(new_request(sel, "default"));
	sel->of_directive = mem_alloc(sel->directives, sizeof *sel->of_directive);
	for (size_t i = 0; i < sel->directives; i++)
		sel->of_directive[i] = sel->requests;
	for (size_t i = 0; i < sel->requests; i++)
		if (sel->request[i].directive)
			sel->of_directive[sel->request[i].directive_index] = i;
	return failed;
}

/* -- what a request covers --------------------------------------------------------------------- */

static bool reaches(const struct selection *sel, const struct request *request, size_t index)
{
	return !request->directive ||
	       sis_ast_in_directive(sel->ast, index, request->directive_index);
}

/* Whether the request covers the region. A directive covers the region that it names. A request
 * with types, or one that names no region, covers the regions within its reach that it selects
 * (sis_request_wants). */
static bool request_covers(const struct selection *sel, const struct request *request, size_t index)
{
	const struct sis_ast_region *region = sis_ast_region(sel->ast, index);
	if (request->directive && region->directive == request->directive_index)
		return true;
	return !is_only_named(request) && reaches(sel, request, index) &&
	       sis_request_wants(request, region);
}

/* The least cost with which a region is worth a probe. */
static uint32_t worth_a_probe(const struct sis_ast_region *region)
{
	return region->called_in_loops ? TINY_IN_LOOPS : TINY_STATEMENTS;
}

/* Why the region is measured or not, apart from requests. */
struct size {
	bool tiny;
	const struct earlier_line *earlier; /* the line that decides; NULL: the estimate does */
};

/* The size of a region. Loops of `omp simd`, which are innermost and have no overheads, and
 * functions that are always inlined count as small. If an earlier run says something about a
 * function, the estimate does not count. */
static struct size size_of(const struct selection *sel, size_t index)
{
	const struct sis_ast_region *region = sis_ast_region(sel->ast, index);
	if (region->type != CR_F)
		return (struct size){ .tiny = region->type == CR_OMPSIMD };
	bool tiny = region->cost < worth_a_probe(region) || region->always_inline;
	const struct earlier_line *own = sis_earlier_find(&sel->earlier, region->function,
							  region->begin.file, false);
	const struct earlier_line *user = sel->inside[sis_ast_function_of(sel->ast, index)];
	if (own)
		return (struct size){ own->verdict == EARLIER_LEAVE, own };
	if (user && tiny && region->cost >= TINY_INSIDE && !region->always_inline)
		return (struct size){ false, user };
	return (struct size){ .tiny = tiny };
}

/* Whether the region is too small to be measured for this request. A small region is measured only
 * if the request names its type or a filter names the region. */
static bool must_be_named(struct selection *sel, const struct request *request, size_t index)
{
	const struct sis_ast_region *region = sis_ast_region(sel->ast, index);
	bool vector = region->type == CR_OMPSIMD;
	bool by_name = request->has_types &&
		       (request->type[region->type] || (vector && request->type[CR_OMP]));
	return !by_name && size_of(sel, index).tiny && !sis_filter_names(&sel->filter, region);
}

/* Appends the origin of a request: "directive of line 3, --sis-cr". */
static void add_origin(struct buf *origins, const struct request *request)
{
	buf_add(origins, origins->length ? ", " : "");
	if (!request->directive)
		buf_add(origins, request->origin);
	else if (!request->directive->condition[0])
		buf_print(origins, "directive of line %u", request->directive->position.line);
	else
		buf_print(origins, "directive of line %u, if(%s)",
			      request->directive->position.line, request->directive->condition);
}

/* Appends why a function is measured: what an earlier run says, or else the estimate. */
static void add_size(struct buf *origins, const struct selection *sel, size_t index)
{
	const struct sis_ast_region *region = sis_ast_region(sel->ast, index);
	struct size size = size_of(sel, index);
	if (region->type != CR_F)
		return;
	if (size.earlier && !size.tiny)
		buf_print(origins, ", %s:%u: %s %.0f calls of %.0f ns", size.earlier->origin,
			      size.earlier->line,
			      size.earlier->verdict == EARLIER_INSIDE ?
				      "the function that uses it had" : "it had",
			      size.earlier->calls, size.earlier->ns);
	else if (region->cost == UINT32_MAX)
		buf_add(origins, ", may take long");
	else
		buf_print(origins, ", estimated at %.0f ns", STATEMENT_NS * region->cost);
}

static char *why_not(const struct selection *sel, size_t index, bool tiny)
{
	const struct sis_ast_region *region = sis_ast_region(sel->ast, index);
	const struct earlier_line *earlier = size_of(sel, index).earlier;
	const char *obstacle = sis__plan_obstacle(region);
	if (obstacle)
		return mem_print("not asked for, and could not be measured: %s", obstacle);
	if (tiny && region->type == CR_OMPSIMD)
		return mem_print("a loop of vector instructions has no overhead of its own; "
				  "--sis-cr=CR_OMPSIMD measures it");
	if (tiny && earlier)
		return mem_print("%s:%u: too dear, it had %.0f calls of %.0f ns; "
				  "--sis-cr=CR_F measures it",
				  earlier->origin, earlier->line, earlier->calls, earlier->ns);
	if (tiny && region->always_inline)
		return mem_print("always inlined: a part of the functions that call it; "
				  "--sis-cr=CR_F measures it");
	if (tiny)
		return mem_print("tiny: estimated at %.0f ns, worth a probe from %.0f ns on%s; "
				  "--sis-cr=CR_F measures it",
				  STATEMENT_NS * region->cost,
				  STATEMENT_NS * worth_a_probe(region),
				  region->called_in_loops ? " where loops call it" : "");
	if (region->directive != SIS_AST_NONE)
		return mem_print("not asked for");
	return mem_print("not asked for; --sis-cr=%s measures it",
			  sis_region_table[region->type].name);
}

static void choose(struct selection *sel, size_t index)
{
	struct metric_set metrics = { 0 };
	struct buf origins = { 0 };
	bool tiny = false;
	for (size_t i = next_request(sel, index, 0); i < sel->requests;
	     i = next_request(sel, index, i + 1)) {
		const struct request *request = &sel->request[i];
		if (!request_covers(sel, request, index))
			continue;
		if (must_be_named(sel, request, index)) {
			tiny = true;
			continue;
		}
		/* the metrics of --sis-pmetric, the first request, are the default of directives
		 * that list none */
		sis_metric_set_unite(&metrics, request->has_metrics ? &request->metrics :
								      &sel->request[0].metrics);
		add_origin(&origins, request);
	}
	if (origins.length)
		add_size(&origins, sel, index);
	if (origins.length)
		sis__plan_set_measured(sel->plan, index, &metrics, origins.at);
	else
		sis__plan_set_unmeasured(sel->plan, index, why_not(sel, index, tiny));
	sis_words_release(&metrics.native);
}

/* -- obstacles --------------------------------------------------------------------------------- */

static void check_obstacle(const struct selection *sel, size_t index)
{
	const struct sis_ast_region *region = sis_ast_region(sel->ast, index);
	const char *obstacle = sis__plan_obstacle(region);
	if (!sel->plan->choice[index].measured || !obstacle)
		return;
	sis__plan_set_unmeasured(sel->plan, index, mem_print("%s", obstacle));
	if (!region->measure_off && region->directive < sel->directives)
		sis_report_to(&sel->plan->reporter, SIS_AST_WARNING,
			      &sis_ast_directive(sel->ast, region->directive)->position,
			      "code region '%s' is not measured: %s", region->name, obstacle);
}

/* The program is always measured, for the metrics requested for main. main itself is not measured
 * in addition. */
static void merge_program(const struct selection *sel, size_t index)
{
	size_t program = sis__plan_measured_as(sel->plan, index);
	struct choice *choice = &sel->plan->choice[program];
	if (program != index) {
		sis_metric_set_unite(&choice->metrics, &sel->plan->choice[index].metrics);
		sis__plan_set_unmeasured(sel->plan, index, mem_print("measured as CR_P"));
	} else if (sis_ast_region(sel->ast, index)->type == CR_P && !choice->measured) {
		sis__plan_set_measured(sel->plan, index, &choice->metrics,
				mem_print("the program is always measured"));
	}
}

/* -- conditions -------------------------------------------------------------------------------- */

/* Whether the region is measured for this request. */
static bool request_measures(struct selection *sel, const struct request *request, size_t index)
{
	return request_covers(sel, request, index) &&
	       !must_be_named(sel, request, index);
}

static int add_condition(struct selection *sel, struct request *request, size_t index)
{
	const struct sis_ast_directive *directive = request->directive;
	const char *why = sis__plan_add_condition(sel->plan, index, request->directive_index);
	if (!why)
		return 0;
	/* The output of a preprocessor has no macros. The source may be correct and name a macro in
	 * if(...), so this is a warning, not an error. */
	bool preprocessed = strstr(sis_ast_unit(sel->ast)->flags, "-fpreprocessed") != NULL;
	if (!request->warned && preprocessed)
		sis_report_to(&sel->plan->reporter, SIS_AST_WARNING, &directive->position,
			      "nothing is measured for if(%s), %s, after preprocessing; give sisc "
			      "the source", directive->condition, why);
	else if (!request->warned)
		sis_report_to(&sel->plan->reporter, SIS_AST_ERROR, &directive->position,
			      "if(%s) cannot be evaluated: %s", directive->condition, why);
	request->warned = true;
	if (preprocessed)
		sis__plan_set_unmeasured(sel->plan, index,
					 mem_print("if(%s): %s, after preprocessing",
						    directive->condition, why));
	return preprocessed ? 0 : -1;
}

/* Adds the conditions of all requests for which the region is measured. Adds none if one of these
 * requests has no if(...). */
static int add_conditions(struct selection *sel, size_t index)
{
	int failed = 0;
	const struct sis_ast_region *region = sis_ast_region(sel->ast, index);
	if (!sel->plan->choice[index].measured || region->type == CR_P)
		return 0;
	for (size_t i = next_request(sel, index, 0); i < sel->requests;
	     i = next_request(sel, index, i + 1)) {
		const struct request *request = &sel->request[i];
		bool conditional = request->directive && request->directive->condition[0];
		if (!conditional && request_measures(sel, request, index))
			return 0;
	}
	for (size_t i = next_request(sel, index, 0); i < sel->requests;
	     i = next_request(sel, index, i + 1))
		if (request_measures(sel, &sel->request[i], index))
			failed |= add_condition(sel, &sel->request[i], index);
	return failed;
}

/* -- warnings about requests without effect ---------------------------------------------------- */

static const char *const reach_names[] = {
	[REACH_FILE] = "file", [REACH_FUNCTION] = "function", [REACH_SCOPE] = "scope",
};

static bool has_type(const struct selection *sel, const struct request *request,
		     enum sis_region_type type)
{
	size_t first, end;
	sis_ast_directive_regions(sel->ast, request->directive_index, &first, &end);
	for (size_t i = first; i < end; i++)
		if (reaches(sel, request, i) &&
		    sis_request_type_matches(type, sis_ast_region(sel->ast, i)))
			return true;
	return false;
}

static bool has_influence(const struct selection *sel, const struct request *request,
			  enum sis_overhead overhead)
{
	size_t first, end;
	sis_ast_directive_regions(sel->ast, request->directive_index, &first, &end);
	for (size_t i = first; i < end; i++) {
		const struct sis_ast_region *region = sis_ast_region(sel->ast, i);
		if (reaches(sel, request, i) && sis_request_influences(region, overhead) &&
		    (!sis_region_in(region->type, CR_OMP) ||
		     sis_ast_may_have(sel->ast, i, overhead)))
			return true;
	}
	return false;
}

/* Whether all regions that can have the overhead are in the group. */
static bool only_in_group(enum sis_overhead overhead, enum sis_region_type group)
{
	bool any = false;
	for (size_t t = 1; t < SIS_REGION_TYPES; t++)
		if (sis_overhead_influenced(overhead, t) &&
		    sis_starts(sis_region_table[t].name, "CR_")) {
			if (!sis_region_in(t, group))
				return false;
			any = true;
		}
	return any;
}

static bool tu_has(const struct selection *sel, enum sis_region_type type)
{
	bool any = false;
	for (size_t i = 0; i < sel->regions; i++)
		any |= sis_request_type_matches(type, sis_ast_region(sel->ast, i));
	return any;
}

/* Why there is no region of MPI or OpenMP, if the reason holds for the whole translation unit. */
static const char *hint(const struct selection *sel, bool about_openmp, bool about_mpi)
{
	if (about_openmp && !sel->openmp)
		return "; OpenMP is not enabled, compile with -fopenmp";
	return about_mpi && !tu_has(sel, CR_MPI) ? "; no routine of MPI is called in this file"
						   : "";
}

static void warn_infeasible(const struct selection *sel, const struct request *request)
{
	const struct sis_ast_position *where = &request->directive->position;
	const char *reach = reach_names[request->reach];
	for (size_t t = 1; t < SIS_REGION_TYPES; t++) {
		if (!request->type[t] || has_type(sel, request, t))
			continue;
		const char *lacks = sis_region_table[t].description; /* "loop" for "any loop" */
		lacks += sis_starts(lacks, "any ") ? strlen("any ") : 0;
		sis_report_to(&sel->plan->reporter, SIS_AST_WARNING, where,
			      "nothing to measure for %s: the %s has no %s%s",
			      sis_region_table[t].name, reach, lacks,
			      hint(sel, sis_region_in(t, CR_OMP), sis_region_in(t, CR_MPI)));
	}
	for (size_t o = 1; o < SIS_OVERHEADS; o++)
		if (request->metrics.overhead[o] && !has_influence(sel, request, o))
			sis_report_to(
				&sel->plan->reporter, SIS_AST_WARNING, where,
				"%s (%s) cannot occur here: the %s has no code region that "
				"influences it%s",
				sis_overhead_table[o].name, sis_overhead_table[o].description,
				reach,
				hint(sel, only_in_group(o, CR_OMP), only_in_group(o, CR_MPI)));
}

/* -- the whole selection ----------------------------------------------------------------------- */

static int choose_all(struct selection *sel)
{
	int failed = 0;
	for (size_t i = 0; i < sel->regions; i++)
		choose(sel, i);
	for (size_t i = 0; i < sel->regions; i++) {
		const struct sis_filter_rule *rule = NULL;
		if (sel->plan->choice[i].measured)
			rule = sis_filter_excludes(&sel->filter, sis_ast_region(sel->ast, i));
		if (rule)
			sis__plan_set_unmeasured(sel->plan, i, sis_filter_reason(rule));
	}
	for (size_t i = 0; i < sel->regions; i++)
		merge_program(sel, i);
	for (size_t i = 0; i < sel->regions; i++)
		check_obstacle(sel, i);
	for (size_t i = 0; i < sel->regions; i++)
		failed |= add_conditions(sel, i);
	sis__plan_measure_arguments(sel->plan, &sel->filter);
	return failed;
}

static int read_files(struct selection *sel, const struct sis_plan_options *options)
{
	int failed = 0;
	for (const char *const *name = options->filters; name && *name; name++)
		failed |= sis_filter_read(&sel->filter, *name, &sel->plan->reporter);
	sis_filter_add_list(&sel->filter, false, options->exclude, "--sis-exclude");
	sis_filter_add_list(&sel->filter, true, options->include, "--sis-include");
	for (const char *const *name = options->profiles; name && *name; name++)
		failed |= sis_earlier_read(&sel->earlier, *name, &sel->plan->reporter);
	return failed;
}

/* Fills sel->inside. */
static void find_inside(struct selection *sel)
{
	sel->inside = mem_alloc(sis_ast_function_count(sel->ast) + 1, sizeof *sel->inside);
	for (size_t i = 0; sel->earlier.count && i < sel->regions; i++) {
		const struct sis_ast_region *region = sis_ast_region(sel->ast, i);
		if (region->type != CR_F && region->type != CR_P)
			continue;
		const struct earlier_line *line = sis_earlier_find(&sel->earlier, region->function,
								   region->begin.file, true);
		const struct sis_ast_function *user =
			sis_ast_function(sel->ast, sis_ast_function_of(sel->ast, i));
		for (size_t k = 0; line && k < user->callee_count; k++)
			sel->inside[user->callees[k]] = line;
	}
}

int sis_plan_select(struct sis_plan *plan, const struct sis_plan_options *options)
{
	struct selection sel = {
		.plan = plan, .ast = plan->ast, .openmp = options->openmp,
		.regions = plan->regions, .directives = plan->directives,
	};
	int failed = collect_requests(&sel, options) | read_files(&sel, options);
	find_inside(&sel);
	if (!failed) {
		failed = choose_all(&sel);
		for (size_t i = 0; i < sel.requests; i++)
			if (sel.request[i].directive)
				warn_infeasible(&sel, &sel.request[i]);
	}
	for (size_t i = 0; i < sel.requests; i++)
		sis_words_release(&sel.request[i].metrics.native);
	free(sel.request);
	free(sel.of_directive);
	free(sel.inside);
	sis_filter_release(&sel.filter);
	sis_earlier_release(&sel.earlier);
	return failed;
}
