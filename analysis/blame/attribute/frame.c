/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.c - computes the results of frames (frame.h). One thread calls it. There are three walks
 * through the graph of the function: the first visits everything that the flow reaches, the second
 * stops at writes that callers can see (near exits), the third stops at variables (recipients). */
#include "blame/attribute/frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "blame/attribute/frame_starts.h"
#include "blame/attribute/frame_view.h"
#include "fnv.h"

/* -- sets of outputs --------------------------------------------------------------------------- */

static int order_numbers(const void *a, const void *b)
{
	return ORDER(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* Returns the number of a set. An output may be in `set` twice, as explicit and as implicit.
 * Sorting puts the explicit item first, and only the first item is kept. */
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
	for (uint64_t probe = 0;; probe++) { /* other sets may have the same hash */
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

/* -- results of the walks ---------------------------------------------------------------------- */

static void walk(struct frames *f, const struct view *v, const struct starts *starts,
		 flow_stops *stops, const struct frame_stopper *stopper)
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

/* The outputs that the walk reached. */
static uint32_t exits_of_walk(struct frames *f, const struct view *v, size_t nodes)
{
	const struct flow_graph *g = v->graph;
	struct exit_set set = { 0 };
	size_t room = 0;
	for (size_t i = 0; i < nodes; i++) {
		uint32_t node = f->walk.node.at[i];
		bool implicit = f->walk.mark[node] == FLOW_IMPLICIT;
		const struct flow_value *value = frame_value(f, v, node);
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

static void add_doubt(struct frame_result *r, const struct flow_doubt *doubt)
{
	for (size_t i = 0; i < r->doubt.n; i++)
		if (r->doubt.at[i].value == doubt->value)
			return;
	*vec_push(&r->doubt) = *doubt;
}

/* Takes all variables and parts that the work reaches, each once, and for each part also its whole
 * variable (field 0). Explicit takes precedence over implicit. */
static void take_all(struct frames *f, struct view *v, const struct starts *starts,
		     struct frame_result *r)
{
	hits list = { 0 };
	walk(f, v, starts, NULL, NULL);
	for (size_t i = 0; i < f->walk.node.n; i++) {
		uint32_t node = f->walk.node.at[i];
		frame_hits(f, v, node, f->walk.mark[node] == FLOW_IMPLICIT, &list);
		r->output |= v->is_output[node];
		if (v->doubt[node])
			add_doubt(r, &v->graph->doubt.at[v->doubt[node] - 1]);
	}
	for (size_t i = 0, n = list.n; i < n; i++)
		if (list.at[i].field) {
			struct hit whole = list.at[i];
			whole.field = 0;
			*vec_push(&list) = whole;
		}
	vec_sort(&list, order_hits);
	for (size_t i = 0; i < list.n; i++)
		if (i == 0 || order_parts(&list.at[i], &list.at[i - 1]) != 0)
			*vec_push(&r->hit) = list.at[i];
	vec_free(&list);
	r->exits.all = exits_of_walk(f, v, f->walk.node.n);
}

/* The recipients are the variables that keep the work: the walk ends at these (frame_keeps). If no
 * variable keeps the work, the recipient is the result of the function. If the work does not reach
 * the result, either, the recipients are the scalars on the way, which then flow only to each
 * other. */
static void take_recipients(struct frames *f, struct view *v, const struct starts *starts,
			    struct frame_result *r)
{
	struct frame_stopper stopper = { f, v };
	hits list = { 0 }, scalars = { 0 };
	bool result = false;
	walk(f, v, starts, frame_leaves, &stopper);
	r->exits.near = exits_of_walk(f, v, f->walk.node.n);
	walk(f, v, starts, frame_keeps, &stopper);
	for (size_t i = 0; i < f->walk.node.n; i++) {
		uint32_t node = f->walk.node.at[i];
		const struct flow_value *value = frame_value(f, v, node);
		frame_hits(f, v, node, false, frame_keeps(&stopper, node) ? &list : &scalars);
		result |= value && value->op == SIS_BLAME_RETURN;
	}
	if (list.n == 0 && result)
		*vec_push(&list) = (struct hit){ names_of_kind(&v->names, BLAME_RESULT), 0, false };
	hits *chosen = list.n ? &list : &scalars;
	vec_sort(chosen, order_hits);
	for (size_t i = 0; i < chosen->n; i++)
		if (i == 0 || order_parts(&chosen->at[i], &chosen->at[i - 1]) != 0)
			*vec_push(&r->recipient) =
				(struct part){ chosen->at[i].variable, chosen->at[i].field };
	vec_free(&list);
	vec_free(&scalars);
}

/* Takes the variables and outputs that the start nodes themselves write. */
static void take_direct(struct frames *f, struct view *v, const struct starts *starts,
			struct frame_result *r)
{
	hits list = { 0 };
	flow_walk_begin(&f->walk, v->graph);
	for (size_t i = 0; i < starts->n; i++)
		flow_walk_start(&f->walk, starts->at[i].node, false);
	for (size_t i = 0; i < f->walk.node.n; i++)
		frame_hits(f, v, f->walk.node.at[i], false, &list);
	vec_sort(&list, order_hits);
	for (size_t i = 0; i < list.n; i++)
		if (i == 0 || order_parts(&list.at[i], &list.at[i - 1]) != 0)
			*vec_push(&r->base) = (struct part){ list.at[i].variable,
							     list.at[i].field };
	vec_free(&list);
	r->exits.direct = exits_of_walk(f, v, f->walk.node.n);
}

/* -- results of frames ------------------------------------------------------------------------- */

/* Finds the recipients and the near exits from the nearest starts. If no variable of this function
 * gets the work, the recipients are found from all starts instead. If the work does not go on to
 * callers, the near exits are found from all starts. In both cases the callee has already passed
 * the work on, so everything that the work reaches is treated as equally near. */
static void take_nearest(struct frames *f, struct view *v, const struct starts *near,
			 const struct starts *all, struct frame_result *r)
{
	take_recipients(f, v, near, r);
	bool ends = !exits_rise(f, r->exits.near), nameless = r->recipient.n == 0;
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

static void compute(struct frames *f, struct frame_result *r, const char *routine, const char *only)
{
	struct view *v = frame_view(f, r->key.function);
	struct starts near = { 0 }, all = { 0 }, direct = { 0 };
	if (only) {
		starts_of_writes(f, v, &r->key, only, &near);
		starts_of_writes(f, v, &r->key, only, &all);
		take_direct(f, v, &near, r);
	} else if (r->key.callee == FLOW_NONE) {
		starts_of_leaf(f, v, routine, r, &near, &all);
		take_direct(f, v, &near, r);
	} else {
		starts_of_exits(f, v, r->key.exits.near, r, &near);
		starts_of_exits(f, v, r->key.exits.all, r, &all);
		starts_of_exits(f, v, r->key.exits.direct, r, &direct);
		take_direct(f, v, &direct, r);
	}
	take_nearest(f, v, &near, &all, r);
	if (only)
		r->recipient.n = 0;
	for (size_t i = 0; only && i < r->base.n; i++) /* the recipients are the variables of the
	                                                * list that the statement writes */
		if (starts_have_name(only, v->names.variable.at[r->base.at[i].variable].name))
			*vec_push(&r->recipient) = r->base.at[i];
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
	*vec_push(&f->result) = result; /* compute adds no results, so `at` is still the next
	                                 * index */
	return &f->result.at[f->result.n - 1];
}

struct names *frames_names(struct frames *f, uint32_t function)
{
	return &frame_view(f, function)->names;
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
		frame_view_release(&f->view[i]);
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
