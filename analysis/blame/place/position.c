// SPDX-License-Identifier: BSD-3-Clause
/* position.c - the rules by which statements are found for a position. place_run.c calls it, in one
 * thread.
 *
 * The column decides. If only the line were used, a third of the samples of optimized code would
 * have several statements. If debug information lacks a part of a position, this part is not taken
 * from the row before:
 *
 *      line 0       compilers merge equal calls, and the merged call has no line. If the callee is
 *                   known, the place is all calls of this callee in the function
 *      column 0     the place is all statements of the line
 *      prologue     the place is the function's entry */
#include "blame/place/position.h"

#include <stdlib.h>
#include <string.h>

#include "experiment/read/profile_read.h"

enum { ENTRY, EXIT }; /* statements 0 and 1 of each function */

/* -- anchors and calls of the program ---------------------------------------------------------- */

/* Adds the anchors of a unit. Files are numbered for each unit separately, because relative names
 * begin in the unit's directory. */
static void add_anchors(struct positions *p, uint32_t unit)
{
	const struct flow_program *program = p->program;
	const struct flow_unit *u = &program->unit.at[unit];
	uint32_t *file = mem_alloc(program->file.n, sizeof *file);
	for (size_t i = 0; i < program->file.n; i++)
		file[i] = NONE;
	for (uint32_t i = u->function.first; i < u->function.first + u->function.n; i++) {
		struct flow_range range = program->function.at[i].anchor;
		for (uint32_t k = range.first; k < range.first + range.n; k++) {
			const struct flow_anchor *anchor = &program->anchor.at[k];
			if (anchor->file == FLOW_NONE)
				continue;
			uint32_t *number = &file[anchor->file];
			if (*number == NONE)
				*number = anchors_add_file(&p->anchors,
							   program->file.at[anchor->file],
							   u->directory);
			anchors_add(&p->anchors, &(struct anchor){
				unit, *number, anchor->line, anchor->column, i, k,
			});
		}
	}
	free(file);
}

void positions_init(struct positions *p, const struct flow_program *program)
{
	*p = (struct positions){ .program = program };
	for (uint32_t i = 0; i < program->function.n; i++) {
		const struct flow_function *f = &program->function.at[i];
		uint32_t name = strmap_put(&p->name, f->linkage, p->name.n, NULL);
		map_put(&p->function, f->unit, name, i, NULL);
	}
	for (uint32_t i = 0; i < program->unit.n; i++) {
		anchors_add_unit(&p->anchors, program->unit.at[i].path,
				 program->unit.at[i].directory);
		add_anchors(p, i);
	}
	anchors_sort(&p->anchors);
}

void positions_release(struct positions *p)
{
	anchors_release(&p->anchors);
	map_free(&p->function);
	strmap_free(&p->name);
}

/* The name of the function that a call names; NULL: the call is through a pointer. */
static const char *called_name(const struct positions *p, const struct flow_value *call)
{
	const struct flow_program *program = p->program;
	if (call->op != SIS_BLAME_CALL || !call->operand.n ||
	    program->number.at[call->operand.first] == FLOW_NONE)
		return NULL;
	const struct flow_value *value =
		&program->value.at[program->number.at[call->operand.first]];
	return value->op == SIS_BLAME_ADDRESS && value->object != FLOW_NONE ?
		program->object.at[value->object].linkage :
		NULL;
}

bool positions_calls(const struct positions *p, uint32_t function, uint32_t statement,
		     const char *callee)
{
	struct flow_range range = p->program->function.at[function].value;
	for (uint32_t i = range.first; i < range.first + range.n; i++) {
		const struct flow_value *value = &p->program->value.at[i];
		const char *name = called_name(p, value);
		if (name && strcmp(name, callee) == 0 &&
		    (statement == NONE || value->statement == statement))
			return true;
	}
	return false;
}

bool positions_may_recur(const struct positions *p, uint32_t function)
{
	const struct flow_function *f = &p->program->function.at[function];
	for (uint32_t i = f->value.first; i < f->value.first + f->value.n; i++) {
		const struct flow_value *value = &p->program->value.at[i];
		const char *name = called_name(p, value);
		if (value->op == SIS_BLAME_CALL && (!name || strcmp(name, f->linkage) == 0))
			return true;
	}
	return false;
}

static void set(struct position *position, enum placed_how how, uint32_t function)
{
	position->how = how;
	position->reason = PLACED_OK;
	position->function = function;
}

/* Adds the statement unless the position has it already. */
static void add_statement(struct position *position, uint32_t statement)
{
	for (size_t i = 0; i < position->statement.n; i++)
		if (position->statement.at[i] == statement)
			return;
	*vec_push(&position->statement) = statement;
}

/* Adds the statement of an anchor, or the statements of its group. */
static void add_target(const struct positions *p, const struct anchor *anchor,
		       struct position *position)
{
	size_t n = 0;
	const uint32_t *statement = flow_anchor_statements(
		p->program, anchor->function, &p->program->anchor.at[anchor->target], &n);
	for (size_t i = 0; i < n; i++)
		add_statement(position, statement[i]);
}

/* -- rules for finding statements -------------------------------------------------------------- */

/* The function of the anchors at one position: `wanted` if it has one of the anchors. Usually all
 * anchors at a position are in one function, but a macro can define several functions. */
static uint32_t function_at(struct anchor_run run, uint32_t wanted)
{
	for (size_t i = 0; i < run.count; i++)
		if (run.at[i].function == wanted)
			return wanted;
	return run.count ? run.at[0].function : NONE;
}

/* Takes the statements at exactly this position. False: there are none. */
static bool at_position(const struct positions *p, struct anchor_run run, uint32_t wanted,
			struct position *position)
{
	uint32_t function = function_at(run, wanted);
	if (function == NONE)
		return false;
	set(position, PLACED_STATEMENT, function);
	for (size_t i = 0; i < run.count; i++)
		if (run.at[i].function == function)
			add_target(p, &run.at[i], position);
	if (position->statement.n > 1)
		position->how = PLACED_GROUP;
	else if (position->statement.n && position->statement.at[0] <= EXIT)
		position->how = PLACED_BOUNDARY;
	return position->statement.n > 0;
}

static bool reaches_line(const struct positions *p, const struct anchor *anchor, uint32_t line)
{
	size_t n = 0;
	const uint32_t *statement = flow_anchor_statements(
		p->program, anchor->function, &p->program->anchor.at[anchor->target], &n);
	uint32_t first = p->program->function.at[anchor->function].statement.first;
	return n && statement[n - 1] > EXIT &&
		p->program->statement.at[first + statement[n - 1]].end_line >= line;
}

/* Takes the statement that contains the position: that of the last anchor before the position.
 * False: there is none. */
static bool inside_statement(const struct positions *p, uint32_t unit, uint32_t file,
			     const struct code_site *site, uint32_t function,
			     struct position *position)
{
	const struct anchor *anchor =
		anchors_before(&p->anchors, unit, file, site->line, site->column, function);
	if (!anchor || (anchor->line != site->line &&
			!reaches_line(p, anchor, site->line)))
		return false;
	return at_position(p, (struct anchor_run){ anchor, 1 }, function, position);
}

/* Takes all statements of the function in the line. */
static bool in_line(const struct positions *p, struct anchor_run run, uint32_t wanted,
		    struct position *position)
{
	uint32_t function = function_at(run, wanted);
	if (function == NONE || (wanted != NONE && function != wanted))
		return false;
	set(position, PLACED_LINE, function);
	for (size_t i = 0; i < run.count; i++)
		if (run.at[i].function == function)
			add_target(p, &run.at[i], position);
	size_t n = 0;
	for (size_t i = 0; i < position->statement.n; i++)
		if (position->statement.at[i] > EXIT)
			position->statement.at[n++] = position->statement.at[i];
	if (n) /* entry and exit count only if there are no other statements */
		position->statement.n = n;
	else if (position->statement.n)
		position->how = PLACED_BOUNDARY;
	return position->statement.n > 0;
}

/* Takes the statements of the function that call the callee. */
static bool at_calls(const struct positions *p, uint32_t function, const char *callee,
		     struct position *position)
{
	struct flow_range range = p->program->function.at[function].value;
	for (uint32_t i = range.first; i < range.first + range.n; i++) {
		const char *name = called_name(p, &p->program->value.at[i]);
		if (name && strcmp(name, callee) == 0)
			add_statement(position, p->program->value.at[i].statement);
	}
	if (!position->statement.n)
		return false;
	set(position, position->statement.n > 1 ? PLACED_AMBIGUOUS : PLACED_STATEMENT, function);
	return true;
}

static bool in_function(uint32_t function, struct position *position)
{
	if (function == NONE)
		return false;
	set(position, PLACED_FUNCTION, function);
	return true;
}

/* If exactly one of several statements calls `callee`, chooses it. */
static void choose_call(const struct positions *p, const char *callee, struct position *position)
{
	uint32_t statement = NONE, found = 0;
	if (!callee || position->statement.n < 2)
		return;
	for (size_t i = 0; i < position->statement.n; i++)
		if (positions_calls(p, position->function, position->statement.at[i], callee)) {
			statement = position->statement.at[i];
			found++;
		}
	if (found != 1)
		return;
	position->statement.n = 0;
	add_statement(position, statement);
	set(position, PLACED_STATEMENT, position->function);
}

/* Finds the position in one unit. False: the unit does not have the function. */
static bool in_unit(const struct positions *p, uint32_t unit, const struct code_site *site,
		    const char *callee, struct position *position)
{
	uint32_t name = site->function ? strmap_get(&p->name, site->function) : MAP_NONE;
	uint32_t function = name == MAP_NONE ? NONE : map_get(&p->function, unit, name);
	uint32_t file = site->file ?
		anchors_file(&p->anchors, site->file, site->directory) :
		NONE;
	if (site->prologue && function != NONE) {
		set(position, PLACED_BOUNDARY, function);
		add_statement(position, ENTRY);
		return true;
	}
	if (!site->line || file == NONE)
		return (callee && function != NONE && at_calls(p, function, callee, position)) ||
			in_function(function, position);
	if (!site->column)
		return in_line(p, anchors_of_line(&p->anchors, unit, file, site->line), function,
			       position) || in_function(function, position);
	return at_position(p, anchors_at(&p->anchors, unit, file, site->line, site->column),
			   function, position) ||
		(function != NONE &&
		 inside_statement(p, unit, file, site, function, position)) ||
		in_function(function, position);
}

void positions_find(const struct positions *p, const struct code_site *site, const char *callee,
		    struct position *position)
{
	bool known = false;
	position->statement.n = 0;
	if (site->unit)
		for (uint32_t unit = 0; (unit = anchors_unit(&p->anchors, site->unit,
							     site->directory, unit)) != NONE;
		     unit++) {
			known = true;
			if (!in_unit(p, unit, site, callee, position))
				continue;
			choose_call(p, callee, position);
			return;
		}
	position->how = PLACED_NOTHING;
	position->reason = known ? PLACED_NO_FUNCTION : PLACED_NO_BLAME;
	position->function = NONE;
}
