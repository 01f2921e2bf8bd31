/* SPDX-License-Identifier: BSD-3-Clause */
/* measured_calls.c - finds statements by their callee and their position. It has no state; any
 * thread may call it. */
#include "blame/attribute/measured_calls.h"

#include <string.h>

#include "tables.h"

/* Two paths are treated as the same file if their base names are equal. */
static bool same_file(const char *a, const char *b)
{
	const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');
	return strcmp(slash_a ? slash_a + 1 : a, slash_b ? slash_b + 1 : b) == 0;
}

/* The name of the function that a call calls directly; NULL: the call is through a pointer. */
static const char *callee_of(const struct flow_program *p, const struct flow_value *v)
{
	uint32_t callee = v->operand.n ? p->number.at[v->operand.first] : FLOW_NONE;
	if (callee == FLOW_NONE || p->value.at[callee].op != SIS_BLAME_ADDRESS ||
	    p->value.at[callee].object == FLOW_NONE)
		return NULL;
	const struct flow_object *o = &p->object.at[p->value.at[callee].object];
	return o->kind != SIS_BLAME_FUNCTION ? NULL : *o->name ? o->name : o->linkage;
}

/* Of several statements in the lines, the last one that begins at or before the call's position has
 * the call. */
static bool is_nearer(const struct flow_statement *s, const struct flow_statement *than,
		      const struct call_site *site)
{
	bool before = s->line < site->line || (s->line == site->line && s->column <= site->column);
	if (!before)
		return false;
	return !than || s->line > than->line || (s->line == than->line && s->column > than->column);
}

static void add_once(struct placed *placed, size_t first, uint32_t statement)
{
	for (size_t i = first; i < placed->statement.n; i++)
		if (placed->statement.at[i] == statement)
			return;
	*vec_push(&placed->statement) = statement;
}

/* Appends the statements of one function that have the site's call. With `through`, these are
 * statements with calls through pointers. */
static void find_calls_in(const struct flow_program *p, uint32_t function,
			  const struct call_site *site, bool through, struct placed *placed)
{
	const struct flow_function *f = &p->function.at[function];
	const struct flow_statement *nearest = NULL;
	size_t first = placed->statement.n;
	for (uint32_t i = f->value.first; i < f->value.first + f->value.n; i++) {
		const struct flow_value *v = &p->value.at[i];
		if (v->op != SIS_BLAME_CALL || v->statement >= f->statement.n)
			continue;
		const char *callee = callee_of(p, v);
		const struct flow_statement *s =
			&p->statement.at[f->statement.first + v->statement];
		uint32_t last = s->end_line > s->line ? s->end_line : s->line;
		if ((through ? callee != NULL : !callee || strcmp(callee, site->callee) != 0) ||
		    s->line > site->line_end || last < site->line)
			continue;
		if (site->column == 0) {
			add_once(placed, first, v->statement);
		} else if (is_nearer(s, nearest, site)) {
			nearest = s;
			placed->statement.n = first;
			*vec_push(&placed->statement) = v->statement;
		}
	}
}

static bool is_candidate(const struct flow_program *p, uint32_t function,
			 const struct call_site *site)
{
	const struct flow_function *f = &p->function.at[flow_function_around(p, function)];
	return strcmp(f->name, site->function) == 0 &&
	       (f->file == FLOW_NONE || same_file(p->file.at[f->file], site->file));
}

uint32_t measured_call_find(const struct flow_program *p, const struct call_site *site,
			    struct placed *placed)
{
	size_t first = placed->statement.n;
	for (int through = 0; through < 2; through++)
		for (uint32_t f = 0; f < p->function.n; f++) {
			if (!is_candidate(p, f, site))
				continue;
			find_calls_in(p, f, site, through, placed);
			if (placed->statement.n > first)
				return f;
		}
	return FLOW_NONE;
}

/* Whether `call` creates a thread that begins in the function. */
static bool creates(const struct flow_program *p, uint32_t call, uint32_t function)
{
	const struct flow_value *v = &p->value.at[call];
	bool gets = false;
	for (uint32_t i = 1; v->op == SIS_BLAME_CALL && i < v->operand.n && !gets; i++)
		gets = flow_function_at(p, flow_operand(p, call, i)) == function;
	const char *callee = gets ? callee_of(p, v) : NULL;
	const struct sis_routine_info *routine = callee ? sis_routine_by_name(callee) : NULL;
	return routine && routine->type == CR_PTCREATE;
}

uint32_t measured_creators_find(const struct flow_program *p, uint32_t function,
				struct placed *placed)
{
	size_t first = placed->statement.n;
	uint32_t found = FLOW_NONE;
	for (uint32_t i = 0; i < p->value.n; i++) {
		if (!creates(p, i, function))
			continue;
		uint32_t creator = flow_function_of(p, i);
		if (found != FLOW_NONE && found != creator) {
			placed->statement.n = first;
			return FLOW_NONE;
		}
		found = creator;
		add_once(placed, first, p->value.at[i].statement);
	}
	return found;
}

/* The first directive in the site's lines; FLOW_NONE: the function has none there. */
static uint32_t directive_in(const struct flow_program *p, const struct flow_function *f,
			     const struct call_site *site)
{
	const struct flow_statement *first = NULL;
	for (uint32_t i = 0; i < f->statement.n; i++) {
		const struct flow_statement *s = &p->statement.at[f->statement.first + i];
		if (s->kind == SIS_BLAME_CONSTRUCT && s->line >= site->line &&
		    s->line <= site->line_end &&
		    (!first || s->line < first->line ||
		     (s->line == first->line && s->column < first->column)))
			first = s;
	}
	return first ? (uint32_t)(first - &p->statement.at[f->statement.first]) : FLOW_NONE;
}

static uint32_t depth_of(const struct flow_program *p, uint32_t function)
{
	uint32_t depth = 0;
	for (; p->function.at[function].around != FLOW_NONE && depth < 32; depth++)
		function = p->function.at[function].around;
	return depth;
}

/* A function and the bodies of its constructs may all have the directive. The outermost of them
 * counts. */
uint32_t measured_construct_find(const struct flow_program *p, const struct call_site *site,
				 struct placed *placed)
{
	uint32_t found = FLOW_NONE, statement = FLOW_NONE;
	for (uint32_t f = 0; f < p->function.n; f++) {
		if (!is_candidate(p, f, site) ||
		    (found != FLOW_NONE && depth_of(p, f) >= depth_of(p, found)))
			continue;
		uint32_t directive = directive_in(p, &p->function.at[f], site);
		if (directive == FLOW_NONE)
			continue;
		found = f;
		statement = directive;
	}
	if (found != FLOW_NONE)
		*vec_push(&placed->statement) = statement;
	return found;
}

uint32_t measured_function_find(const struct flow_program *p, const char *function,
				const char *file)
{
	const struct call_site site = { .function = function, .file = file };
	for (uint32_t f = 0; f < p->function.n; f++)
		if (p->function.at[f].around == FLOW_NONE && is_candidate(p, f, &site))
			return f;
	return FLOW_NONE;
}

uint32_t measured_fork_find(const struct flow_program *p, uint32_t function, struct placed *placed)
{
	uint32_t around = p->function.at[function].around;
	if (around == FLOW_NONE)
		return FLOW_NONE;
	for (uint32_t n = 0; n < p->function.n; n++) {
		const struct flow_function *f = &p->function.at[n];
		if (n != around && f->around != around && f->around == FLOW_NONE)
			continue;
		for (uint32_t i = f->value.first; i < f->value.first + f->value.n; i++) {
			const struct flow_value *v = &p->value.at[i];
			if (v->op != SIS_BLAME_FORK || v->object != function)
				continue;
			*vec_push(&placed->statement) = v->statement;
			return n;
		}
	}
	return FLOW_NONE;
}
