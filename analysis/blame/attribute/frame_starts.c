/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_starts.c - finds the nodes at which the work of a frame starts (frame_starts.h). It has no
 * state; any thread may call it. */
#include "blame/attribute/frame_starts.h"

#include <string.h>
static void start(struct starts *s, uint32_t node, bool implicit)
{
	*vec_push(s) = (struct start){ node, implicit };
}

static bool is_of_statement(const struct frames *f, uint32_t value, uint32_t statement)
{
	return statement == FLOW_NONE || f->program->value.at[value].statement == statement;
}

/* Starts at the nodes that get the time of a library's routine: the nodes of all its calls in the
 * statement or, if there are none, the nodes of all calls of libraries in the statement. */
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

void starts_of_leaf(const struct frames *f, const struct view *v, const char *routine,
		    struct frame_result *r, struct starts *near, struct starts *all)
{
	bool in_routine = routine &&
		start_in_routine(f, v, &r->key, routine, near, &r->unknown);
	/* The starts are all values of the statement except addresses, constants and parameters,
	 * which take no time. If the frame is at the entry or exit, or its statement is not known,
	 * the starts are all such values of the function. */
	bool whole = r->key.statement == FLOW_NONE || r->key.statement < 2;
	for (uint32_t i = 0; !in_routine && i < v->n; i++) {
		const struct flow_value *value = &f->program->value.at[v->first + i];
		bool is_name = value->op == SIS_BLAME_ADDRESS || value->op == SIS_BLAME_LITERAL ||
			value->op == SIS_BLAME_PARAMETER;
		if ((whole || value->statement == r->key.statement) && !is_name)
			start(near, i, false);
	}
	for (size_t i = 0; i < near->n; i++)
		*vec_push(all) = near->at[i];
	/* the statement decides whether the functions that it calls run */
	bool decides = !in_routine && r->key.statement != FLOW_NONE;
	for (size_t i = 0; decides && i < v->graph->call.n; i++) {
		const struct flow_call *c = &v->graph->call.at[i];
		if (c->callee == FLOW_NONE || !is_of_statement(f, c->value, r->key.statement))
			continue;
		for (uint32_t k = 0; k < c->nodes; k++)
			start(all, c->first_node + k, true);
	}
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
	const struct frame_key *key = &result->key;
	const struct exit_set *set = &f->set.at[exits];
	/* a task runs where a thread waits for others, and not at the statement that creates the
	 * task */
	bool task = f->program->function.at[key->callee].flags & SIS_BLAME_FUNCTION_TASK;
	uint32_t statement = task ? FLOW_NONE : key->statement;
	bool found = false;
	for (size_t i = 0; i < v->graph->call.n; i++) {
		const struct flow_call *c = &v->graph->call.at[i];
		if (c->callee != key->callee || !is_of_statement(f, c->value, statement))
			continue;
		found = true;
		for (size_t k = 0; k < set->n; k++)
			if (set->at[k] >> 1 < c->nodes)
				start(starts, c->first_node + (set->at[k] >> 1), set->at[k] & 1);
	}
	result->lost |= !found;
}
