/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.c - see frame.h. One thread. Three walks through the graph of the function: one for all
 * that the flow reaches, one that stops at what callers can see (near exits), and one that stops
 * at variables (recipients). */
#include "blame/frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "fnv.h"

enum stop { STOP_UNKNOWN, STOP_PASSES, STOP_KEEPS };

/* What is known about the graph of a function. */
struct view {
	const struct flow_graph *graph;
	struct names names;
	uint32_t first, n;        /* values */
	uint8_t *keeps;           /* enum stop of each node */
	uint8_t *is_output;       /* of each node */
	uint32_t *doubt;          /* of each node: number in graph->doubt + 1 */
	struct flow_walk walk;    /* to find out whether a scalar is passed through */
};

static const struct flow_value *value_at(const struct frames *f, const struct view *v,
					 uint32_t node)
{
	return node < v->n ? &f->program->value.at[v->first + node] : NULL;
}

/* -- sets of outputs --------------------------------------------------------------------------- */

static int order_numbers(const void *a, const void *b)
{
	return ORDER(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* `set` has each output once or twice, explicit before implicit after sorting. */
static uint32_t put_set(struct frames *f, struct exit_set *set)
{
	size_t n = 0;
	bool fresh;
	vec_sort(set, order_numbers);
	for (size_t i = 0; i < set->n; i++)
		if (n == 0 || set->at[n - 1] >> 1 != set->at[i] >> 1)
			set->at[n++] = set->at[i];
	set->n = n;
	uint64_t hash = sis_fnv(SIS_FNV_START, set->at, n * sizeof *set->at);
	for (uint64_t probe = 0;; probe++) { /* of sets with the same hash */
		uint32_t at = map_put(&f->sets, hash + probe, n, (uint32_t)f->set.n, &fresh);
		const struct exit_set *old = fresh ? NULL : &f->set.at[at];
		if (fresh) {
			*vec_push(&f->set) = *set;
			return at;
		}
		if (old->n == n && (n == 0 || memcmp(old->at, set->at, n * sizeof *set->at) == 0)) {
			free(set->at);
			return at;
		}
	}
}

/* -- views ------------------------------------------------------------------------------------- */

static struct view *view_of(struct frames *f, uint32_t function)
{
	struct view *v = &f->view[function];
	if (v->graph)
		return v;
	v->graph = &f->analysis->graph[function];
	v->first = f->program->function.at[function].value.first;
	v->n = f->program->function.at[function].value.n;
	names_init(&v->names, f->program, v->graph);
	v->keeps = mem_alloc(v->graph->nodes + 1u, 1);
	v->is_output = mem_alloc(v->graph->nodes + 1u, 1);
	for (size_t i = 0; i < v->graph->output_node.n; i++)
		v->is_output[v->graph->output_node.at[i]] = 1;
	v->doubt = mem_alloc(v->graph->nodes + 1u, sizeof *v->doubt);
	for (size_t i = 0; i < v->graph->doubt.n; i++)
		v->doubt[v->graph->doubt.at[i].node] = (uint32_t)i + 1;
	return v;
}

struct names *frames_names(struct frames *f, uint32_t function)
{
	return &view_of(f, function)->names;
}

static uint32_t defined(const struct frames *f, struct view *v, uint32_t node)
{
	const struct flow_value *value = value_at(f, v, node);
	return value && value->op == SIS_BLAME_DEFINE ? names_of_object(&v->names, value->object) :
							FLOW_NONE;
}

/* Whether the node writes a variable other than `except`. */
static bool writes_variable(const struct frames *f, struct view *v, uint32_t node, uint32_t except)
{
	const struct flow_graph *g = v->graph;
	for (uint32_t i = g->first_write[node]; i < g->first_write[node + 1]; i++) {
		uint32_t variable = v->names.symbol[g->write.at[i].symbol].variable;
		if (variable != FLOW_NONE && variable != except)
			return true;
	}
	uint32_t variable = defined(f, v, node);
	return variable != FLOW_NONE && variable != except;
}

/* A scalar that flows on into another variable does not keep what reaches it. */
static bool flows_on(const struct frames *f, struct view *v, uint32_t node)
{
	uint32_t variable = defined(f, v, node);
	flow_walk_begin(&v->walk, v->graph);
	flow_walk_start(&v->walk, node, false);
	flow_walk_run(&v->walk, NULL, NULL);
	for (size_t i = 0; i < v->walk.node.n; i++)
		if (writes_variable(f, v, v->walk.node.at[i], variable))
			return true;
	return false;
}

struct stopper { const struct frames *frames; struct view *view; };

/* Whether a variable of the function keeps what reaches this node. */
static bool keeps(const void *context, uint32_t node)
{
	const struct stopper *s = context;
	uint8_t *state = &s->view->keeps[node];
	if (*state == STOP_UNKNOWN) {
		bool is_define = defined(s->frames, s->view, node) != FLOW_NONE;
		bool stays = is_define ? !flows_on(s->frames, s->view, node) :
			writes_variable(s->frames, s->view, node, FLOW_NONE);
		*state = stays ? STOP_KEEPS : STOP_PASSES;
	}
	return *state == STOP_KEEPS;
}

/* Whether callers see what this node writes. */
static bool leaves(const void *context, uint32_t node)
{
	const struct flow_graph *g = ((const struct stopper *)context)->view->graph;
	for (uint32_t i = g->first_write[node]; i < g->first_write[node + 1]; i++)
		if (flow_output_of(g, &g->write.at[i]) != FLOW_NONE)
			return true;
	return false;
}

/* -- what a node writes ------------------------------------------------------------------------ */

typedef VEC(struct hit) hits;

static void hit_node(const struct frames *f, struct view *v, uint32_t node, bool implicit,
		     hits *list)
{
	const struct flow_graph *g = v->graph;
	for (uint32_t i = g->first_write[node]; i < g->first_write[node + 1]; i++) {
		struct part part = names_of_cell(&v->names, &g->write.at[i]);
		if (part.variable != FLOW_NONE)
			*vec_push(list) = (struct hit){ part.variable, part.field, implicit };
	}
	uint32_t variable = defined(f, v, node);
	if (variable != FLOW_NONE)
		*vec_push(list) = (struct hit){ variable, 0, implicit };
}

/* -- starts ------------------------------------------------------------------------------------ */

struct start { uint32_t node; bool implicit; };
struct starts { struct start *at; size_t n, room; };

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

static void start_leaf(const struct frames *f, const struct view *v, const char *routine,
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

/* Whether a list of names, separated by blanks, has this one. */
static bool has_name(const char *list, const char *name)
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
	hit_node(f, v, node, false, &list);
	for (size_t i = 0; i < list.n; i++)
		found |= has_name(only, v->names.variable.at[list.at[i].variable].name);
	if (found)
		start(starts, node, false);
	vec_free(&list);
}

/* Where these variables are written: in the statement, else in all of the function. */
static void start_at_writes(const struct frames *f, struct view *v, const struct frame_key *key,
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

static void start_exits(const struct frames *f, const struct view *v, uint32_t exits,
			struct frame_result *result, struct starts *starts)
{
	if (!start_at_calls(f, v, &result->key, exits, starts))
		result->lost = true;
}

/* -- results of the walks ---------------------------------------------------------------------- */

static void walk(struct frames *f, const struct view *v, const struct starts *starts,
		 flow_stops *stops, const struct stopper *stopper)
{
	flow_walk_begin(&f->walk, v->graph);
	for (size_t i = 0; i < starts->n; i++)
		flow_walk_start(&f->walk, starts->at[i].node, starts->at[i].implicit);
	flow_walk_run(&f->walk, stops, stopper);
}

static void add_exit(struct exit_set *set, size_t *room, uint32_t output, bool implicit)
{
	vec_grow((void **)&set->at, room, set->n, sizeof *set->at);
	set->at[set->n++] = output << 1 | implicit;
}

/* What the walk reached of what callers see. */
static uint32_t exits_of_walk(struct frames *f, const struct view *v, size_t nodes)
{
	const struct flow_graph *g = v->graph;
	struct exit_set set = { 0 };
	size_t room = 0;
	for (size_t i = 0; i < nodes; i++) {
		uint32_t node = f->walk.node.at[i];
		bool implicit = f->walk.mark[node] == FLOW_IMPLICIT;
		const struct flow_value *value = value_at(f, v, node);
		for (uint32_t w = g->first_write[node]; w < g->first_write[node + 1]; w++) {
			uint32_t output = flow_output_of(g, &g->write.at[w]);
			if (output != FLOW_NONE)
				add_exit(&set, &room, output, implicit);
		}
		if (value && value->op == SIS_BLAME_RETURN)
			add_exit(&set, &room, FLOW_RETURN, implicit);
		if (v->is_output[node])
			add_exit(&set, &room, FLOW_OUTPUT, implicit);
	}
	return put_set(f, &set);
}

static int order_hits(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;
	return ORDER(x->variable, y->variable) ?: ORDER(x->field, y->field) ?:
		ORDER(x->implicit, y->implicit);
}

static int order_parts(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	return ORDER(x->variable, y->variable) ?: ORDER(x->field, y->field);
}

/* Each variable with all of it, field 0, and each of its parts once; explicit wins. */
static void add_hits(struct frame_result *r, hits *list)
{
	for (size_t i = 0, n = list->n; i < n; i++)
		if (list->at[i].field) {
			struct hit whole = list->at[i];
			whole.field = 0;
			*vec_push(list) = whole;
		}
	vec_sort(list, order_hits);
	for (size_t i = 0; i < list->n; i++)
		if (i == 0 || order_parts(&list->at[i], &list->at[i - 1]) != 0)
			*vec_push(&r->hit) = list->at[i];
}

/* Recipients: each part once. */
static void add_recipients(struct frame_result *r, hits *list)
{
	vec_sort(list, order_hits);
	for (size_t i = 0; i < list->n; i++)
		if (i == 0 || order_parts(&list->at[i], &list->at[i - 1]) != 0)
			*vec_push(&r->recipient) =
				(struct part){ list->at[i].variable, list->at[i].field };
}

static void add_doubt(struct frame_result *r, const struct flow_doubt *doubt)
{
	for (size_t i = 0; i < r->doubt.n; i++)
		if (r->doubt.at[i].value == doubt->value)
			return;
	*vec_push(&r->doubt) = *doubt;
}

/* All that is reached. */
static void take_all(struct frames *f, struct view *v, const struct starts *starts,
		     struct frame_result *r)
{
	hits list = { 0 };
	walk(f, v, starts, NULL, NULL);
	for (size_t i = 0; i < f->walk.node.n; i++) {
		uint32_t node = f->walk.node.at[i];
		hit_node(f, v, node, f->walk.mark[node] == FLOW_IMPLICIT, &list);
		r->output |= v->is_output[node];
		if (v->doubt[node])
			add_doubt(r, &v->graph->doubt.at[v->doubt[node] - 1]);
	}
	add_hits(r, &list);
	vec_free(&list);
	r->exits.all = exits_of_walk(f, v, f->walk.node.n);
}

/* Scalars that only flow to each other in a circle share what none of them passes on. */
static void take_recipients(struct frames *f, struct view *v, const struct starts *starts,
			    struct frame_result *r)
{
	struct stopper stopper = { f, v };
	hits list = { 0 }, scalars = { 0 };
	bool result = false;
	walk(f, v, starts, leaves, &stopper);
	r->exits.near = exits_of_walk(f, v, f->walk.node.n);
	walk(f, v, starts, keeps, &stopper);
	for (size_t i = 0; i < f->walk.node.n; i++) {
		uint32_t node = f->walk.node.at[i];
		const struct flow_value *value = value_at(f, v, node);
		hit_node(f, v, node, false, keeps(&stopper, node) ? &list : &scalars);
		result |= value && value->op == SIS_BLAME_RETURN;
	}
	if (list.n == 0 && result)
		*vec_push(&list) = (struct hit){ names_of_kind(&v->names, BLAME_RESULT), 0, false };
	add_recipients(r, list.n ? &list : &scalars);
	vec_free(&list);
	vec_free(&scalars);
}

/* What the starts write themselves. */
static void take_direct(struct frames *f, struct view *v, const struct starts *starts,
			struct frame_result *r)
{
	hits list = { 0 };
	flow_walk_begin(&f->walk, v->graph);
	for (size_t i = 0; i < starts->n; i++)
		flow_walk_start(&f->walk, starts->at[i].node, false);
	for (size_t i = 0; i < f->walk.node.n; i++)
		hit_node(f, v, f->walk.node.at[i], false, &list);
	vec_sort(&list, order_hits);
	for (size_t i = 0; i < list.n; i++)
		if (i == 0 || order_parts(&list.at[i], &list.at[i - 1]) != 0)
			*vec_push(&r->base) = (struct part){ list.at[i].variable,
							     list.at[i].field };
	vec_free(&list);
	r->exits.direct = exits_of_walk(f, v, f->walk.node.n);
}

/* -- frames ------------------------------------------------------------------------------------ */

/* Whether callers get anything but what is shown to the user. */
static bool rises(const struct frames *f, uint32_t exits)
{
	const struct exit_set *set = &f->set.at[exits];
	return set->n > 1 || (set->n == 1 && set->at[0] >> 1 != FLOW_OUTPUT);
}

/* What is nearest may be memory that ends with this function, or that nothing here names. Then the
 * callee has passed the work on already, and all that it reaches is as near. */
static void take_nearest(struct frames *f, struct view *v, const struct starts *near,
			 const struct starts *all, struct frame_result *r)
{
	take_recipients(f, v, near, r);
	bool ends = !rises(f, r->exits.near), nameless = r->recipient.n == 0;
	if (!ends && !nameless)
		return;
	struct frame_result more = { .key = r->key };
	take_recipients(f, v, all, &more);
	if (ends)
		r->exits.near = more.exits.near;
	for (size_t i = 0; nameless && i < more.recipient.n; i++)
		*vec_push(&r->recipient) = more.recipient.at[i];
	vec_free(&more.recipient);
}

/* Of what is written there, the variables of the list. */
static void take_listed(struct view *v, const char *only, struct frame_result *r)
{
	r->recipient.n = 0;
	for (size_t i = 0; i < r->base.n; i++)
		if (has_name(only, v->names.variable.at[r->base.at[i].variable].name))
			*vec_push(&r->recipient) = r->base.at[i];
}

static void compute(struct frames *f, struct frame_result *r, const char *routine, const char *only)
{
	struct view *v = view_of(f, r->key.function);
	struct starts near = { 0 }, all = { 0 }, direct = { 0 };
	if (only) {
		start_at_writes(f, v, &r->key, only, &near);
		start_at_writes(f, v, &r->key, only, &all);
		take_direct(f, v, &near, r);
	} else if (r->key.callee == FLOW_NONE) {
		start_leaf(f, v, routine, r, &near, &all);
		take_direct(f, v, &near, r);
	} else {
		start_exits(f, v, r->key.exits.near, r, &near);
		start_exits(f, v, r->key.exits.all, r, &all);
		start_exits(f, v, r->key.exits.direct, r, &direct);
		take_direct(f, v, &direct, r);
	}
	take_nearest(f, v, &near, &all, r);
	if (only)
		take_listed(v, only, r);
	take_all(f, v, &all, r);
	vec_free(&near);
	vec_free(&all);
	vec_free(&direct);
}

const struct frame_result *frames_result(struct frames *f, const struct frame_key *key,
					 const char *routine, const char *only)
{
	struct frame_result result = { .key = *key };
	uint64_t hash = sis_fnv(SIS_FNV_START, key, sizeof *key);
	for (uint64_t probe = 0;; probe++) {
		bool fresh;
		uint32_t at = map_put(&f->results, hash, probe, (uint32_t)f->result.n, &fresh);
		if (fresh)
			break;
		if (memcmp(&f->result.at[at].key, key, sizeof *key) == 0)
			return &f->result.at[at];
	}
	compute(f, &result, routine, only);
	*vec_push(&f->result) = result; /* compute makes no results of its own */
	return &f->result.at[f->result.n - 1];
}

void frames_init(struct frames *f, const struct flow_program *program,
		 const struct flow_analysis *analysis)
{
	*f = (struct frames){ .program = program, .analysis = analysis };
	f->view = mem_alloc(program->function.n + 1, sizeof *f->view);
	put_set(f, &(struct exit_set){ 0 });
}

void frames_release(struct frames *f)
{
	for (size_t i = 0; i < f->program->function.n; i++)
		if (f->view[i].graph) {
			names_release(&f->view[i].names);
			flow_walk_release(&f->view[i].walk);
			free(f->view[i].keeps);
			free(f->view[i].is_output);
			free(f->view[i].doubt);
		}
	for (size_t i = 0; i < f->result.n; i++) {
		vec_free(&f->result.at[i].hit);
		vec_free(&f->result.at[i].recipient);
		vec_free(&f->result.at[i].base);
		vec_free(&f->result.at[i].doubt);
	}
	for (size_t i = 0; i < f->set.n; i++)
		free(f->set.at[i].at);
	free(f->view);
	vec_free(&f->result);
	vec_free(&f->set);
	map_free(&f->results);
	map_free(&f->sets);
	flow_walk_release(&f->walk);
}
