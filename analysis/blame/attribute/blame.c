/* SPDX-License-Identifier: BSD-3-Clause */
/* blame.c - makes the rows of all blame points (blame.h). One thread calls it. Each placed stack is
 * followed from the innermost frame outwards (frame.h). A frame that may be at several statements
 * divides its samples among them. The stacks are followed twice: once to find the points where
 * blame stops, and once to make the rows. A stack whose time no variable gets needs no analysis. */
#include "blame/attribute/blame.h"

#include <stdlib.h>
#include <string.h>

#include "blame/attribute/call_chain.h"
#include "blame/attribute/doubts.h"
#include "blame/attribute/frame.h"
#include "blame/attribute/points.h"

#define STATES_MOST 16u

/* A part of a stack's samples, and the exits of the next inner frame, from which the work of this
 * part comes. */
struct state { struct exits exits; uint32_t callee; uint64_t units; };

struct engine {
	struct blame *blame;
	const struct flow_program *program;
	const struct placed *placed;
	struct flow_analysis flow;
	struct frames frames;
	struct points points;
	struct strmap routines, lists;
	struct strmap variables;   /* "point name field" -> variable of the result */
	struct map rows;
	struct doubts doubts;
	uint64_t unknown;          /* units of samples in routines that no table has */
	bool makes_rows;
};

/* The frame of a stack that is being followed. */
struct at {
	const struct placed_stack *stack;
	const struct placed_frame *frame;
	uint32_t point, routine;
	bool outermost, counted;
};

/* -- making rows ------------------------------------------------------------------------------- */

static uint32_t routine_number(struct engine *e, const char *name)
{
	bool fresh;
	if (!name)
		return FLOW_NONE;
	uint32_t at = strmap_put(&e->routines, name, (uint32_t)e->blame->routine.n, &fresh);
	if (fresh)
		*vec_push(&e->blame->routine) = mem_string(name);
	return at;
}

static uint32_t put_variable(struct engine *e, const struct blame_variable *v)
{
	char *key = mem_print("%u\n%s\n%s", v->point, v->name, v->field);
	bool fresh;
	uint32_t at = strmap_put(&e->variables, key, (uint32_t)e->blame->variable.n, &fresh);
	free(key);
	if (!fresh)
		return at;
	*vec_push(&e->blame->variable) = *v;
	struct blame_variable *new = &e->blame->variable.at[at];
	new->name = mem_string(v->name);
	new->field = mem_string(v->field);
	new->type = mem_string(v->type);
	return at;
}

static struct blame_row *row_at(struct engine *e, const struct at *at, uint32_t number)
{
	const struct placed_stack *s = at->stack;
	bool fresh;
	uint32_t row = map_put(&e->rows, (uint64_t)number << 32 | s->process,
			       (uint64_t)at->routine << 32 | (uint64_t)s->slot << 1 | s->kind,
			       (uint32_t)e->blame->row.n, &fresh);
	if (fresh)
		*vec_push(&e->blame->row) = (struct blame_row){
			.variable = number, .process = s->process, .slot = s->slot,
			.kind = s->kind, .routine = at->routine };
	return &e->blame->row.at[row];
}

/* The row of a variable of the frame's function, or of a field of the variable. The variables of an
 * outlined function are those of the function around it, so rows are found by the variable's name.
 * LIMIT: variables of one function with the same name share their rows. */
static struct blame_row *row_of(struct engine *e, const struct at *at, uint32_t variable,
				uint32_t field)
{
	const struct flow_program *p = e->program;
	struct names *names = frames_names(&e->frames, at->frame->function);
	const struct variable *v = &names->variable.at[variable];
	const char *type = field || v->type == FLOW_NONE ? "" : p->type.at[v->type].name;
	return row_at(e, at, put_variable(e, &(struct blame_variable){
		.point = at->point, .kind = v->kind, .name = v->name,
		.field = names->field.at[field], .type = (char *)(uintptr_t)type,
		.file = v->file == FLOW_NONE ? NULL : p->file.at[v->file], .line = v->line }));
}

static double weight_of(const struct at *at, uint64_t units)
{
	double all = (double)at->stack->count * BLAME_UNIT;
	return all > 0 ? (double)at->stack->weight * ((double)units / all) : 0;
}

static void add_share(struct engine *e, const struct at *at, struct part part, uint64_t units)
{
	struct blame_row *row = row_of(e, at, part.variable, 0);
	row->share += units;
	row->weight += weight_of(at, units);
	if (part.field) {
		row = row_of(e, at, part.variable, part.field);
		row->share += units;
		row->weight += weight_of(at, units);
	}
}

static bool is_result_only(struct engine *e, const struct frame_result *r)
{
	return r->recipient.n == 1 &&
		frames_names(&e->frames, r->key.function)
			->variable.at[r->recipient.at[0].variable].kind == BLAME_RESULT;
}

static void make_rows(struct engine *e, const struct at *at, const struct frame_result *r,
		      uint64_t units)
{
	size_t n = r->recipient.n;
	if (n == 0 || (at->outermost && is_result_only(e, r))) {
		enum blame_variable_kind kind = r->output ? BLAME_OUTPUT : BLAME_OTHER;
		struct names *names = frames_names(&e->frames, at->frame->function);
		add_share(e, at, (struct part){ names_of_kind(names, kind), 0 }, units);
		n = 0;
	}
	for (size_t i = 0; i < n; i++) /* the units are divided evenly; the first recipients get the
	                                * remainder */
		add_share(e, at, r->recipient.at[i], units / n + (i < units % n));
	for (size_t i = 0; i < r->base.n; i++) {
		const struct part *part = &r->base.at[i];
		if (i == 0 || part->variable != r->base.at[i - 1].variable)
			row_of(e, at, part->variable, 0)->base += units;
		if (part->field)
			row_of(e, at, part->variable, part->field)->base += units;
	}
	for (size_t i = 0; i < r->hit.n; i++) {
		struct blame_row *row = row_of(e, at, r->hit.at[i].variable, r->hit.at[i].field);
		*(r->hit.at[i].implicit ? &row->implicit : &row->explicit) += units;
		row->inclusive_weight += weight_of(at, units);
	}
}

/* -- following one frame ----------------------------------------------------------------------- */

static void count_result(struct engine *e, const struct at *at, const struct frame_result *r,
			 uint64_t units)
{
	if (!at->counted)
		return;
	if (!e->makes_rows) {
		if (r->lost)
			doubts_add_lost(&e->doubts, r, units);
		if (r->recipient.n && !exits_rise(&e->frames, r->exits.near))
			points_stop(&e->points, at->point, units);
	} else if (points_have_rows(&e->points, at->point)) {
		make_rows(e, at, r, units);
	}
}

static void add_state(struct state *list, size_t *n, const struct state *state)
{
	for (size_t i = 0; i < *n; i++)
		if (memcmp(&list[i].exits, &state->exits, sizeof state->exits) == 0) {
			list[i].units += state->units;
			return;
		}
	if (*n == STATES_MOST) /* the list is full: the last state takes the units, too */
		list[*n - 1].units += state->units;
	else
		list[(*n)++] = *state;
}

static const struct frame_result *result_at(struct engine *e, const struct at *at,
					    const struct state *state, uint32_t statement)
{
	bool innermost = state->callee == FLOW_NONE;
	const char *only = innermost ? at->frame->only : NULL;
	const char *routine = innermost && !only ? at->frame->callee : NULL;
	uint32_t list = only ? strmap_put(&e->lists, only, (uint32_t)e->lists.n, NULL) + 1 : 0;
	struct frame_key key = { .function = at->frame->function, .statement = statement,
				 .callee = state->callee, .routine = routine ? at->routine + 1 : 0,
				 .only = list, .exits = state->exits };
	return frames_result(&e->frames, &key, routine, only);
}

/* Lists the statements at which the frame may be, without those that do not call the callee. */
static size_t alternatives(struct engine *e, const struct at *at, const struct state *state,
			   uint32_t *list)
{
	size_t n = 0;
	uint32_t count = at->frame->count < STATES_MOST ? at->frame->count : STATES_MOST;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t statement = e->placed->statement.at[at->frame->first + i];
		if (count == 1 || !result_at(e, at, state, statement)->lost)
			list[n++] = statement;
	}
	if (n == 0)
		list[n++] = count ? at->frame->statement : FLOW_NONE;
	return n;
}

/* A task may run in a frame whose function did not create the task: at the end of the parallel
 * region, or in another task. Then the work of the task first goes through the function that
 * creates the task. From there, it goes to all calls of this function in the frame's function. */
static struct state leave_task(struct engine *e, const struct at *at, struct state state)
{
	const struct flow_function *function = e->program->function.at;
	while (state.callee != FLOW_NONE && state.callee != at->frame->function &&
	       (function[state.callee].flags & SIS_BLAME_FUNCTION_TASK)) {
		uint32_t maker = function[state.callee].around;
		if (maker == FLOW_NONE || maker == at->frame->function)
			break;
		struct frame_key key = { .function = maker, .statement = FLOW_NONE,
					 .callee = state.callee, .exits = state.exits };
		state.exits = frames_result(&e->frames, &key, NULL, NULL)->exits;
		state.callee = maker;
	}
	return state;
}

static size_t follow_frame(struct engine *e, const struct at *at, const struct state *in,
			   size_t states, struct state *out)
{
	size_t n = 0;
	doubts_begin_frame(&e->doubts);
	for (size_t i = 0; i < states; i++) {
		uint32_t statement[STATES_MOST];
		const struct state state = leave_task(e, at, in[i]);
		size_t count = alternatives(e, at, &state, statement);
		if (state.callee != in[i].callee) {
			statement[0] = FLOW_NONE;
			count = 1;
		}
		for (size_t k = 0; k < count; k++) {
			uint64_t units = state.units / count + (k < state.units % count);
			const struct frame_result *r = result_at(e, at, &state, statement[k]);
			struct exits exits = r->exits;
			if (!e->makes_rows) {
				e->unknown += r->unknown ? units : 0;
				doubts_add(&e->doubts, r, units);
			}
			count_result(e, at, r, units);
			add_state(out, &n, &(struct state){ exits, at->frame->function, units });
		}
	}
	return n;
}

/* -- following stacks -------------------------------------------------------------------------- */

/* Whether the frame is the outermost one of its point. */
static bool is_counted(const uint32_t *point, uint32_t i, uint32_t frames)
{
	for (uint32_t k = i + 1; k < frames; k++)
		if (point[k] == point[i])
			return false;
	return true;
}

static bool is_for_nothing(const struct engine *e, const struct placed_stack *s)
{
	const char *only = s->frames ? e->placed->frame.at[s->first].only : "";
	return only && !*only;
}

/* Adds the time of a stack that no variable gets to row Other. */
static void follow_nothing(struct engine *e, const struct placed_stack *s)
{
	static char name[] = "Other", empty[] = "";
	const struct placed_frame *frame = e->placed->frame.at + s->first;
	uint32_t *point = points_of_stack(&e->points, frame, s->frames);
	uint32_t routine = routine_number(e, frame->callee);
	uint64_t units = s->count * BLAME_UNIT;
	for (uint32_t i = 0; i < s->frames; i++) {
		const struct at at = { .stack = s, .frame = &frame[i], .point = point[i],
				       .routine = routine };
		if (!is_counted(point, i, s->frames) || !points_have_rows(&e->points, point[i]))
			continue;
		struct blame_row *row = row_at(e, &at, put_variable(e, &(struct blame_variable){
			.point = point[i], .kind = BLAME_OTHER, .name = name, .field = empty,
			.type = empty }));
		row->share += units;
		row->weight += weight_of(&at, units);
	}
	free(point);
}

static void follow_stack(struct engine *e, const struct placed_stack *s)
{
	struct state states[2][STATES_MOST] = { {
		{ .callee = FLOW_NONE, .units = s->count * BLAME_UNIT } } };
	const struct placed_frame *frame = e->placed->frame.at + s->first;
	uint32_t *point = points_of_stack(&e->points, frame, s->frames);
	uint32_t routine = routine_number(e, frame->callee);
	size_t n = 1;
	for (uint32_t i = 0; i < s->frames; i++) {
		struct at at = { .stack = s, .frame = &frame[i], .point = point[i],
				 .routine = routine, .outermost = i + 1 == s->frames,
				 .counted = is_counted(point, i, s->frames) };
		n = follow_frame(e, &at, states[i % 2], n, states[(i + 1) % 2]);
	}
	doubts_end_stack(&e->doubts);
	free(point);
}

static void follow_stacks(struct engine *e, bool makes_rows)
{
	e->makes_rows = makes_rows;
	for (size_t i = 0; i < e->placed->stack.n; i++) {
		const struct placed_stack *s = &e->placed->stack.at[i];
		if (!is_for_nothing(e, s))
			follow_stack(e, s);
		else if (s->frames && makes_rows)
			follow_nothing(e, s);
	}
}

static void count_stacks(struct engine *e)
{
	for (size_t i = 0; i < e->placed->stack.n; i++) {
		const struct placed_stack *s = &e->placed->stack.at[i];
		if (!s->frames)
			continue;
		points_count(&e->points, e->placed->frame.at + s->first, s->frames, s->count,
			     s->truncated);
		if (s->truncated)
			doubts_add_cut(&e->doubts,
				       e->placed->frame.at[s->first + s->frames - 1].function,
				       s->count * BLAME_UNIT);
		e->blame->samples += s->count;
	}
}

void blame_compute(struct blame *blame, const struct flow_program *program,
		   const struct routines *routines, const struct placed *placed,
		   double least_share)
{
	struct placed completed;
	struct engine e = { .blame = blame, .program = program, .placed = &completed,
			    .doubts = { .program = program } };
	*blame = (struct blame){ 0 };
	call_chain_complete(&completed, &e.flow, program, routines, placed);
	bool needs_flow = false; /* whether the flow must be analysed, which takes minutes for a
	                          * large program */
	for (size_t i = 0; i < completed.stack.n && !needs_flow; i++)
		needs_flow = !is_for_nothing(&e, &completed.stack.at[i]);
	if (needs_flow)
		flow_analysis_run(&e.flow, program, routines);
	frames_init(&e.frames, program, &e.flow);
	points_init(&e.points, program);
	count_stacks(&e);
	follow_stacks(&e, false);
	points_choose(&e.points, blame->samples, least_share);
	follow_stacks(&e, true);
	for (size_t i = 0; i < program->warning.n; i++)
		*vec_push(&blame->warning) = mem_string(program->warning.at[i]);
	blame->coarse_functions = e.flow.coarse;
	blame->unknown_calls = e.unknown / BLAME_UNIT;
	if (blame->coarse_functions)
		*vec_push(&blame->warning) = mem_print(
			"%u functions have so much memory that its parts are not kept apart; "
			"blame of their variables is less exact", blame->coarse_functions);
	doubts_write(&e.doubts, blame);
	points_take(&e.points, blame);
	doubts_release(&e.doubts);
	points_release(&e.points);
	frames_release(&e.frames);
	flow_analysis_release(&e.flow);
	strmap_free(&e.routines);
	strmap_free(&e.lists);
	strmap_free(&e.variables);
	map_free(&e.rows);
	placed_release(&completed);
}

void blame_release(struct blame *b)
{
	for (size_t i = 0; i < b->point.n; i++)
		free(b->point.at[i].path);
	for (size_t i = 0; i < b->variable.n; i++) {
		free(b->variable.at[i].name);
		free(b->variable.at[i].field);
		free(b->variable.at[i].type);
	}
	for (size_t i = 0; i < b->routine.n; i++)
		free(b->routine.at[i]);
	for (size_t i = 0; i < b->warning.n; i++)
		free(b->warning.at[i]);
	for (size_t i = 0; i < b->doubt.n; i++)
		free(b->doubt.at[i]);
	vec_free(&b->point);
	vec_free(&b->variable);
	vec_free(&b->row);
	vec_free(&b->routine);
	vec_free(&b->warning);
	vec_free(&b->doubt);
}
