// SPDX-License-Identifier: BSD-3-Clause
/* position.c - the rules by which a position becomes statements. frames.c asks it. One thread.
 *
 * The columns decide. By the line alone a third of the samples of optimized code would have several
 * statements. What debug information does not give is not taken from the row before:
 *
 *      line 0       compilers merge equal calls, and the merged call has no line. If it is known
 *                   what is called, the calls of it in the function are meant, one or several
 *      column 0     the statements of the line
 *      prologue     the function's entry */
#include "place/position.h"

#include <stdlib.h>
#include <string.h>

#include "read/profile_read.h"

enum { ENTRY, EXIT }; /* statements 0 and 1 of each function */

/* -- the program ------------------------------------------------------------------------------- */

static void add_functions(struct positions *p)
{
	for (uint32_t i = 0; i < p->program->function.n; i++) {
		const struct flow_function *f = &p->program->function.at[i];
		uint32_t name = strmap_put(&p->name, f->linkage, p->name.n, NULL);
		map_put(&p->function, f->unit, name, i, NULL);
	}
}

/* Files have one number for each unit's directory: relative names begin there. */
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
	add_functions(p);
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

static uint32_t function_named(const struct positions *p, uint32_t unit, const char *name)
{
	uint32_t number = name ? strmap_get(&p->name, name) : MAP_NONE;
	return number == MAP_NONE ? NONE : map_get(&p->function, unit, number);
}

static const struct flow_statement *statement_of(const struct positions *p, uint32_t function,
						 uint32_t number)
{
	uint32_t first = p->program->function.at[function].statement.first;
	return &p->program->statement.at[first + number];
}

/* The name of the function that a call names; NULL: it calls through a pointer. */
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

static void fail(struct position *position, enum placed_reason reason)
{
	position->how = PLACED_NOTHING;
	position->reason = reason;
	position->function = NONE;
}

/* Adds the statement unless it is there. */
static void add(struct position *position, uint32_t statement)
{
	for (size_t i = 0; i < position->statement.n; i++)
		if (position->statement.at[i] == statement)
			return;
	*vec_push(&position->statement) = statement;
}

/* Adds what the anchor names: a statement, or those of a group. */
static void add_target(const struct positions *p, const struct anchor *anchor,
		       struct position *position)
{
	size_t n = 0;
	const uint32_t *statement = flow_anchor_statements(
		p->program, anchor->function, &p->program->anchor.at[anchor->target], &n);
	for (size_t i = 0; i < n; i++)
		add(position, statement[i]);
}

/* -- rules ------------------------------------------------------------------------------------- */

/* The anchors at one position are of one function as a rule. A macro can define several. */
static uint32_t function_at(struct anchor_run run, uint32_t wanted)
{
	for (size_t i = 0; i < run.count; i++)
		if (run.at[i].function == wanted)
			return wanted;
	return run.count ? run.at[0].function : NONE;
}

/* What is at exactly this position. False: nothing is. */
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
	return n && statement[n - 1] > EXIT &&
		statement_of(p, anchor->function, statement[n - 1])->end_line >= line;
}

/* The statement that goes on at the position: that of the last anchor before it. */
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

/* Entry and exit count only if there is nothing else. */
static void leave_out_boundary(struct position *position)
{
	size_t n = 0;
	for (size_t i = 0; i < position->statement.n; i++)
		if (position->statement.at[i] > EXIT)
			position->statement.at[n++] = position->statement.at[i];
	if (n)
		position->statement.n = n;
}

/* All statements of the function in the line. */
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
	leave_out_boundary(position);
	if (position->statement.n && position->statement.at[0] <= EXIT)
		position->how = PLACED_BOUNDARY;
	return position->statement.n > 0;
}

/* The calls of the callee in the function. */
static bool at_calls(const struct positions *p, uint32_t function, const char *callee,
		     struct position *position)
{
	struct flow_range range = p->program->function.at[function].value;
	for (uint32_t i = range.first; i < range.first + range.n; i++) {
		const char *name = called_name(p, &p->program->value.at[i]);
		if (name && strcmp(name, callee) == 0)
			add(position, p->program->value.at[i].statement);
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

static bool at_entry(uint32_t function, struct position *position)
{
	if (function == NONE)
		return false;
	set(position, PLACED_BOUNDARY, function);
	add(position, ENTRY);
	return true;
}

/* Of several statements, the one that calls `callee` is meant. */
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
	add(position, statement);
	set(position, PLACED_STATEMENT, position->function);
}

/* In one unit. */
static bool in_unit(const struct positions *p, uint32_t unit, const struct code_site *site,
		    const char *callee, struct position *position)
{
	uint32_t function = function_named(p, unit, site->function);
	uint32_t file = site->file ?
		anchors_file(&p->anchors, site->file, site->directory) :
		NONE;
	if (site->prologue && at_entry(function, position))
		return true;
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
	fail(position, known ? PLACED_NO_FUNCTION : PLACED_NO_BLAME);
}
