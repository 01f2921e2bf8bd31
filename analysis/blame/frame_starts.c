/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_starts.c - see frame_starts.h. Owns nothing; any thread. */
#include "blame/frame_starts.h"

#include <string.h>

#include "base/sort.h"

static void start(struct starts *s, uint32_t node, bool implicit)
{
	*vec_push(s) = (struct start){ node, implicit };
}

/* The first call of the list whose value is at or after `value`. */
static size_t first_call(const struct flow_graph *g, uint32_t value)
{
	return search_first(i, 0, g->call.n, g->call.at[i].value < value);
}

static bool is_of_statement(const struct frames *f, uint32_t value, uint32_t statement)
{
	return statement == FLOW_NONE || f->program->value.at[value].statement == statement;
}

/* A task runs where its thread waits for others, not at the statement that makes it. */
static uint32_t statement_of_call(const struct frames *f, const struct frame_key *key)
{
	bool task = f->program->function.at[key->callee].flags & SIS_BLAME_FUNCTION_TASK;
	return task ? FLOW_NONE : key->statement;
}

/* The outputs of the callee at its calls in the statement; false: there is no such call. */
static bool start_at_calls(const struct frames *f, const struct view *v,
			   const struct frame_key *key, uint32_t exits, struct starts *starts)
{
	const struct exit_set *set = &f->set.at[exits];
	uint32_t statement = statement_of_call(f, key);
	bool found = false;
	for (size_t i = first_call(v->graph, v->first); i < v->graph->call.n; i++) {
		const struct flow_call *c = &v->graph->call.at[i];
		if (c->callee != key->callee || !is_of_statement(f, c->value, statement))
			continue;
		found = true;
		for (size_t k = 0; k < set->n; k++)
			if (set->at[k] >> 1 < c->nodes)
				start(starts, c->first_node + (set->at[k] >> 1), set->at[k] & 1);
	}
	return found;
}

/* The places that get the time of a library's routine: of all calls of this name in the
 * statement, else of all calls of libraries. */
static bool start_in_routine(const struct frames *f, const struct view *v,
			     const struct frame_key *key, const char *routine,
			     struct starts *starts, bool *unknown)
{
	bool found = false;
	for (int any = 0; any < 2 && !found; any++)
		for (size_t i = 0; i < v->graph->call.n; i++) {
			const struct flow_call *c = &v->graph->call.at[i];
			if (c->callee != FLOW_NONE ||
			    !is_of_statement(f, c->value, key->statement) ||
			    (!any && (!c->name || strcmp(c->name, routine) != 0)))
				continue;
			found = true;
			*unknown |= !c->routine;
			for (uint32_t k = 0; k < c->nodes; k++)
				start(starts, c->first_node + k, false);
		}
	return found;
}

/* Names of memory and constants take no time where they stand. */
static bool takes_time(const struct flow_value *v)
{
	return v->op != SIS_BLAME_ADDRESS && v->op != SIS_BLAME_LITERAL &&
		v->op != SIS_BLAME_PARAMETER;
}

/* All values of the statement. Entry, exit and a function without a statement: all of them. */
static void start_at_statement(const struct frames *f, const struct view *v,
			       const struct frame_key *key, struct starts *starts)
{
	bool whole = key->statement == FLOW_NONE || key->statement < 2;
	for (uint32_t i = 0; i < v->n; i++) {
		const struct flow_value *value = &f->program->value.at[v->first + i];
		if ((whole || value->statement == key->statement) && takes_time(value))
			start(starts, i, false);
	}
}

/* The statement decides that the functions which it calls run. */
static void start_what_is_called(const struct frames *f, const struct view *v,
				 const struct frame_key *key, struct starts *starts)
{
	for (size_t i = 0; i < v->graph->call.n; i++) {
		const struct flow_call *c = &v->graph->call.at[i];
		if (c->callee == FLOW_NONE || !is_of_statement(f, c->value, key->statement))
			continue;
		for (uint32_t k = 0; k < c->nodes; k++)
			start(starts, c->first_node + k, true);
	}
}

void starts_of_leaf(const struct frames *f, const struct view *v, const char *routine,
		    struct frame_result *r, struct starts *near, struct starts *all)
{
	bool in_routine = routine &&
		start_in_routine(f, v, &r->key, routine, near, &r->unknown);
	if (!in_routine)
		start_at_statement(f, v, &r->key, near);
	for (size_t i = 0; i < near->n; i++)
		*vec_push(all) = near->at[i];
	if (!in_routine && r->key.statement != FLOW_NONE)
		start_what_is_called(f, v, &r->key, all);
}

bool starts_have_name(const char *list, const char *name)
{
	size_t length = strlen(name);
	for (; *list; list += strspn(list, " ")) {
		size_t word = strcspn(list, " ");
		if (word == length && strncmp(list, name, length) == 0)
			return true;
		list += word;
	}
	return false;
}

static void start_if_listed(const struct frames *f, struct view *v, uint32_t node, const char *only,
			    struct starts *starts)
{
	hits list = { 0 };
	bool found = false;
	frame_hits(f, v, node, false, &list);
	for (size_t i = 0; i < list.n; i++)
		found |= starts_have_name(only, v->names.variable.at[list.at[i].variable].name);
	if (found)
		start(starts, node, false);
	vec_free(&list);
}

void starts_of_writes(const struct frames *f, struct view *v, const struct frame_key *key,
		      const char *only, struct starts *starts)
{
	for (int whole = 0; whole < 2 && starts->n == 0 && *only; whole++) {
		uint32_t statement = whole ? FLOW_NONE : key->statement;
		for (uint32_t i = 0; i < v->n; i++)
			if (is_of_statement(f, v->first + i, statement))
				start_if_listed(f, v, i, only, starts);
		for (size_t i = 0; i < v->graph->call.n; i++) {
			const struct flow_call *c = &v->graph->call.at[i];
			uint32_t nodes = is_of_statement(f, c->value, statement) ? c->nodes : 0;
			for (uint32_t k = 0; k < nodes; k++)
				start_if_listed(f, v, c->first_node + k, only, starts);
		}
	}
}

void starts_of_exits(const struct frames *f, const struct view *v, uint32_t exits,
		     struct frame_result *result, struct starts *starts)
{
	if (!start_at_calls(f, v, &result->key, exits, starts))
		result->lost = true;
}
