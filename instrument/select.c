/* select.c - decides which code regions get probes. Called by compile.c, once a unit.
 * The idea: directives, options and defaults all become requests; each request is asked about each
 * region in its reach, and a region's metrics are the union of what the granted requests want. */
#include "select.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function that is left out unless CR_F is asked for by name: an activation must be worth its probe. */
enum { TINY_STATEMENTS = 10 };

struct unit {
	const struct ast_library *library;
	const struct sis_ast *ast;
	size_t regions, directives;
	struct request *request;
	size_t requests;
	bool openmp;
};

static struct request *new_request(struct unit *unit, const char *origin)
{
	unit->request = sis_realloc(unit->request, unit->requests + 1, sizeof *unit->request);
	struct request *request = &unit->request[unit->requests++];
	*request = (struct request){ .origin = origin };
	return request;
}

/* -- requests of the command line ------------------------------------------------------------------------ */

static struct words split_list(const char *list)
{
	struct words words = { 0 };
	char *copy = sis_format("%s", list ? list : "");
	for (char *save, *word = strtok_r(copy, ", \t", &save); word; word = strtok_r(NULL, ", \t", &save))
		sis_words_add(&words, word);
	free(copy);
	return words;
}

static int add_options(struct request *request, const struct options *options)
{
	struct words types = split_list(options->regions), metrics = split_list(options->metrics);
	int failed = sis_request_add_types(request, (const char *const *)types.at);
	failed |= sis_request_add_metrics(request, (const char *const *)metrics.at);
	sis_words_release(&types);
	sis_words_release(&metrics);
	return failed;
}

int sis_select_check_options(const struct options *options)
{
	struct request request = { 0 };
	return add_options(&request, options);
}

/* -- requests of directives ------------------------------------------------------------------------------ */

static enum reach reach_of(const struct sis_ast_directive *directive)
{
	if (directive->kind == SIS_AST_CR_BEGIN)
		return REACH_SCOPE;
	return directive->function[0] ? REACH_FUNCTION : REACH_UNIT;
}

static int add_directive(struct unit *unit, size_t index)
{
	const struct sis_ast_directive *directive = unit->library->directive(unit->ast, index);
	if (directive->kind != SIS_AST_CR_BEGIN && directive->kind != SIS_AST_CR_GLOBAL)
		return 0;
	if (directive->condition[0]) {
		sis_report(SIS_AST_ERROR, &directive->position,
			   "if(%s) is not supported: regions are chosen when compiling; remove it", directive->condition);
		return -1;
	}
	struct request *request = new_request(unit, "directive");
	request->directive = directive;
	request->directive_index = index;
	request->reach = reach_of(directive);
	int failed = sis_request_add_types(request, directive->items);
	failed |= sis_request_add_metrics(request, directive->metrics);
	if (!request->has_types && !request->has_metrics && !directive->name[0])
		sis_report(SIS_AST_WARNING, &directive->position,
			   "directive ignored: it names neither code regions nor metrics");
	return failed;
}

/* A directive that only names its region adds to what is measured; any other says what is. */
static bool replaces_defaults(const struct request *request)
{
	bool only_named = request->directive && request->directive->name[0] && !request->has_types;
	return !only_named && (request->has_types || request->has_metrics);
}

static int collect_requests(struct unit *unit, const struct options *options)
{
	bool replaced = false;
	struct request *request = new_request(unit, options->regions ? "--sis-cr" : "--sis-pmetric");
	int failed = add_options(request, options);
	for (size_t i = 0; i < unit->directives; i++)
		failed |= add_directive(unit, i);
	for (size_t i = 0; i < unit->requests; i++)
		replaced |= replaces_defaults(&unit->request[i]);
	if (!replaced)
		sis_request_add_defaults(new_request(unit, "default"));
	return failed;
}

/* -- what a request reaches and grants ------------------------------------------------------------------- */

static bool reaches(const struct unit *unit, const struct request *request, size_t index)
{
	return !request->directive || unit->library->in_directive(unit->ast, index, request->directive_index);
}

static bool is_own_region(const struct request *request, const struct sis_ast_region *region)
{
	return request->directive && region->type == CR_A && region->directive == request->directive_index;
}

/* A named region is its directive's; others reach it only by listing CR_A. */
static bool grants(const struct unit *unit, const struct request *request, size_t index)
{
	const struct sis_ast_region *region = unit->library->region(unit->ast, index);
	if (is_own_region(request, region))
		return true;
	bool only_named = request->directive && request->directive->name[0] && !request->has_types;
	return !only_named && reaches(unit, request, index) && sis_request_wants(request, region);
}

static bool is_tiny(const struct request *request, const struct sis_ast_region *region)
{
	bool by_name = request->has_types && request->type[CR_F];
	return region->type == CR_F && !by_name && region->cost < TINY_STATEMENTS;
}

static char *describe_origin(const struct request *request)
{
	if (request->directive)
		return sis_format("directive of line %u", request->directive->position.line);
	return sis_format("%s", request->origin);
}

static void choose(const struct unit *unit, size_t index, struct choice *choice)
{
	const struct sis_ast_region *region = unit->library->region(unit->ast, index);
	bool only_tiny = false;
	for (size_t i = 0; i < unit->requests; i++) {
		const struct request *request = &unit->request[i];
		if (!grants(unit, request, index))
			continue;
		if (is_tiny(request, region)) {
			only_tiny = !choice->measured;
			continue;
		}
		sis_metric_set_unite(&choice->metrics, &request->metrics);
		if (!choice->measured)
			choice->why = describe_origin(request);
		choice->measured = true;
	}
	if (only_tiny && !choice->measured)
		choice->why = sis_format("tiny: %u statements of the %d that are worth a probe; --sis-cr=CR_F measures it",
					 region->cost, TINY_STATEMENTS);
	else if (!choice->measured)
		choice->why = sis_format("not asked for");
}

/* -- what forbids a probe -------------------------------------------------------------------------------- */

static void refuse(struct choice *choice, const char *why)
{
	free(choice->why);
	choice->why = sis_format("%s", why);
	choice->measured = false;
}

static void check_obstacle(const struct sis_ast_region *region, struct choice *choice, const struct unit *unit)
{
	if (!choice->measured)
		return;
	if (region->measure_off) {
		refuse(choice, "between measure disable and enable");
	} else if (region->obstacle) {
		refuse(choice, region->obstacle);
		if (region->type == CR_A && region->directive < unit->directives)
			sis_report(SIS_AST_WARNING, &unit->library->directive(unit->ast, region->directive)->position,
				   "code region '%s' is not measured: %s", region->name, region->obstacle);
	}
}

/* main is a program and a function: the program, which is always measured, stands for both. */
static void merge_program(const struct unit *unit, struct choice *choice, size_t index)
{
	if (index + 1 < unit->regions) {
		const struct sis_ast_region *next = unit->library->region(unit->ast, index + 1);
		if (next->type == CR_F && next->parent == index && strcmp(next->function, "main") == 0) {
			sis_metric_set_unite(&choice[index].metrics, &choice[index + 1].metrics);
			refuse(&choice[index + 1], "measured as CR_P");
		}
	}
	if (!choice[index].measured) {
		free(choice[index].why);
		choice[index].why = sis_format("the program is always measured");
		choice[index].measured = true;
	}
}

/* -- what a directive asks in vain ----------------------------------------------------------------------- */

static const char *const reach_names[] = {
	[REACH_UNIT] = "file", [REACH_FUNCTION] = "function", [REACH_SCOPE] = "scope",
};

static const char *hint(const struct unit *unit, bool about_openmp)
{
	return about_openmp && !unit->openmp ? "; OpenMP is not enabled, compile with -fopenmp" : "";
}

static bool has_type(const struct unit *unit, const struct request *request, enum sis_region_type type)
{
	for (size_t i = 0; i < unit->regions; i++)
		if (reaches(unit, request, i) && sis_request_type_matches(type, unit->library->region(unit->ast, i)))
			return true;
	return false;
}

static bool has_influence(const struct unit *unit, const struct request *request, enum sis_overhead overhead)
{
	for (size_t i = 0; i < unit->regions; i++)
		if (reaches(unit, request, i) && sis_request_influences(unit->library->region(unit->ast, i), overhead))
			return true;
	return false;
}

/* Whether only OpenMP constructs can have the overhead. */
static bool needs_openmp(enum sis_overhead overhead)
{
	bool any = false;
	for (size_t t = 1; t < SIS_REGION_TYPES; t++)
		if (sis_overhead_influenced(overhead, t) && sis_starts(sis_region_table[t].name, "CR_")) {
			if (!sis_region_in(t, CR_OMP))
				return false;
			any = true;
		}
	return any;
}

static void warn_infeasible(const struct unit *unit, const struct request *request)
{
	const struct sis_ast_position *where = &request->directive->position;
	const char *reach = reach_names[request->reach];
	for (size_t t = 1; t < SIS_REGION_TYPES; t++)
		if (request->type[t] && !has_type(unit, request, t))
			sis_report(SIS_AST_WARNING, where, "nothing to measure for %s: the %s has no %s%s",
				   sis_region_table[t].name, reach, sis_region_table[t].description,
				   hint(unit, sis_region_in(t, CR_OMP)));
	for (size_t o = 1; o < SIS_OVERHEADS; o++)
		if (request->metrics.overhead[o] && !has_influence(unit, request, o))
			sis_report(SIS_AST_WARNING, where, "%s (%s) cannot occur here: the %s has no code region that influences it%s",
				   sis_overhead_table[o].name, sis_overhead_table[o].description, reach,
				   hint(unit, needs_openmp(o)));
}

/* -- all of it ------------------------------------------------------------------------------------------- */

static void choose_all(const struct unit *unit, struct selection *selection)
{
	for (size_t i = 0; i < unit->regions; i++)
		choose(unit, i, &selection->choice[i]);
	for (size_t i = 0; i < unit->regions; i++)
		if (unit->library->region(unit->ast, i)->type == CR_P)
			merge_program(unit, selection->choice, i);
	for (size_t i = 0; i < unit->regions; i++) {
		check_obstacle(unit->library->region(unit->ast, i), &selection->choice[i], unit);
		if (selection->choice[i].measured)
			selection->choice[i].probe = selection->measured++;
	}
}

int sis_select(struct selection *selection, const struct ast_library *library, const struct sis_ast *ast,
	       const struct options *options, bool openmp)
{
	struct unit unit = {
		.library = library, .ast = ast, .openmp = openmp,
		.regions = library->region_count(ast), .directives = library->directive_count(ast),
	};
	*selection = (struct selection){ .regions = unit.regions };
	selection->choice = sis_alloc(unit.regions, sizeof *selection->choice);
	int failed = collect_requests(&unit, options);
	if (!failed) {
		choose_all(&unit, selection);
		for (size_t i = 0; i < unit.requests; i++)
			if (unit.request[i].directive)
				warn_infeasible(&unit, &unit.request[i]);
	}
	free(unit.request);
	return failed;
}

void sis_select_explain(const struct selection *selection, const struct ast_library *library, const struct sis_ast *ast,
			FILE *file)
{
	for (size_t i = 0; i < selection->regions; i++) {
		const struct sis_ast_region *region = library->region(ast, i);
		const struct choice *choice = &selection->choice[i];
		char *metrics = sis_metric_set_names(&choice->metrics);
		fprintf(file, "%s:%u:%u: %s %s: %s%s%s: %s\n", region->begin.file, region->begin.line, region->begin.column,
			sis_region_table[region->type].name, region->name, choice->measured ? "measured" : "not measured",
			choice->measured && metrics[0] ? " for " : "", choice->measured ? metrics : "", choice->why);
		free(metrics);
	}
}

void sis_selection_release(struct selection *selection)
{
	for (size_t i = 0; i < selection->regions; i++) {
		free(selection->choice[i].why);
		sis_words_release(&selection->choice[i].metrics.native);
	}
	free(selection->choice);
	*selection = (struct selection){ 0 };
}
