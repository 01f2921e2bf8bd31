/* SPDX-License-Identifier: BSD-3-Clause */
/* call_chain.c - adds the frames that are missing in stacks (call_chain.h). One thread calls it. A
 * frame may lead to the next frame's function in several ways, which are tried in this order: a
 * call of the function by name; a sequence of tail calls to the function; a call through a pointer;
 * a tail call through a pointer; a library's routine that calls the function back. */
#include "blame/attribute/call_chain.h"

#include <stdlib.h>
#include <string.h>

#include "blame/attribute/tail_calls.h"

#define STEPS_MOST 64u  /* most functions that one search looks at */
#define DEPTH_MOST 4u   /* most missing frames between two frames */

/* A function on the way from the calls of a frame to the next frame. `forked`: OpenMP's runtime
 * calls a body on the way to this function. */
struct step { uint32_t function, before, depth; bool ambiguous, forked; };

/* The kinds of calls that a frame's statements have. */
struct calls { bool direct, pointer; };

/* The functions that are missing between two frames, innermost first. */
struct link { uint32_t missing[DEPTH_MOST], n; enum tail_kind kind; };

struct chains {
	struct placed *out;
	struct flow_analysis *analysis;
	const struct flow_program *program;
	const struct routines *routines;
	const struct placed *placed;
	struct tail_calls *tail;      /* the tail calls of each function */
	struct map links;             /* (function and statement, callee) -> link */
	VEC(struct link) link;
	struct step step[STEPS_MOST]; /* the steps of the current search */
	uint32_t steps;
};

/* -- the calls of a frame ---------------------------------------------------------------------- */

static bool is_at(const struct chains *c, const struct placed_frame *frame, uint32_t value)
{
	const struct flow_value *v = &c->program->value.at[value];
	bool found = frame->count == 0;
	for (uint32_t i = 0; i < frame->count && !found; i++)
		found = c->placed->statement.at[frame->first + i] == v->statement;
	return found && (v->op == SIS_BLAME_CALL || v->op == SIS_BLAME_FORK);
}

static bool is_by_pointer(const struct chains *c, uint32_t value)
{
	return c->program->value.at[value].op == SIS_BLAME_CALL &&
		!flow_called_object(c->program, value);
}

/* The function that a call names; FLOW_NONE: the call is of a library's routine or through a
 * pointer. */
static uint32_t called_by(const struct chains *c, uint32_t value)
{
	const struct flow_object *called = flow_called_object(c->program, value);
	return called ? called->function : FLOW_NONE;
}

/* Whether a call through a pointer may call the function: the numbers of arguments agree, or the
 * function is variadic. */
static bool fits(const struct chains *c, uint32_t value, uint32_t function)
{
	const struct flow_function *f = &c->program->function.at[function];
	return c->program->value.at[value].operand.n == f->parameter.n + 1 ||
		(f->flags & SIS_BLAME_FUNCTION_VARIADIC);
}

static void add_step(struct chains *c, uint32_t function, uint32_t before, bool fork)
{
	uint32_t depth = before == FLOW_NONE ? 1 : c->step[before].depth + 1;
	for (uint32_t i = 0; i < c->steps; i++)
		if (c->step[i].function == function) {
			c->step[i].ambiguous |= c->step[i].depth == depth &&
				c->step[i].before != before;
			return;
		}
	const struct step *from = before == FLOW_NONE ? NULL : &c->step[before];
	if (c->steps < STEPS_MOST && depth <= DEPTH_MOST)
		c->step[c->steps++] = (struct step){
			function, before, depth, from && from->ambiguous,
			fork || (from && from->forked) };
}

/* The first steps are the functions that the frame's statements call by name, and the bodies of
 * constructs that the statements run. */
static struct calls first_steps(struct chains *c, const struct placed_frame *frame, uint32_t callee)
{
	const struct flow_range values = c->program->function.at[frame->function].value;
	struct calls calls = { false, false };
	c->steps = 0;
	for (uint32_t i = values.first; i < values.first + values.n; i++) {
		if (!is_at(c, frame, i))
			continue;
		bool fork = c->program->value.at[i].op == SIS_BLAME_FORK;
		uint32_t function = fork ? c->program->value.at[i].object : called_by(c, i);
		calls.pointer |= is_by_pointer(c, i) && callee != FLOW_NONE && fits(c, i, callee);
		if (function == FLOW_NONE)
			continue;
		calls.direct |= function == callee;
		add_step(c, function, FLOW_NONE, fork);
	}
	return calls;
}

static void take_steps(struct chains *c)
{
	for (uint32_t i = 0; i < c->steps; i++) {
		const struct tail_calls *tail =
			tail_calls_of(c->tail, c->program, c->step[i].function);
		for (size_t k = 0; k < tail->call.n; k++)
			if (tail->call.at[k].kind == TAIL_FUNCTION)
				add_step(c, tail->call.at[k].callee, i, tail->call.at[k].fork);
	}
}

/* -- searching tail calls ---------------------------------------------------------------------- */

static bool leads(const struct chains *c, const struct tail_call *call, enum tail_kind kind,
		  uint32_t callee)
{
	if (call->kind != kind)
		return false;
	return kind == TAIL_FUNCTION ? call->callee == callee :
		kind == TAIL_ROUTINE || fits(c, call->value, callee);
}

/* Whether the step has a tail call to the callee. If the stack has frames of a library between the
 * two, OpenMP's runtime must be on the way. */
static bool has_way(struct chains *c, const struct step *step, enum tail_kind kind, uint32_t callee,
		    bool library)
{
	const struct tail_calls *tail = tail_calls_of(c->tail, c->program, step->function);
	for (size_t i = 0; i < tail->call.n; i++)
		if (leads(c, &tail->call.at[i], kind, callee) &&
		    (!library || step->forked || tail->call.at[i].fork))
			return true;
	return false;
}

/* Finds the nearest step with a tail call of this kind to the callee. False: there is none, or
 * there are several. */
static bool find_way(struct chains *c, enum tail_kind kind, uint32_t callee, bool library,
		     struct link *link)
{
	uint32_t found = FLOW_NONE;
	for (uint32_t i = 0; i < c->steps; i++) {
		if (found != FLOW_NONE && c->step[i].depth > c->step[found].depth)
			break;
		if (!has_way(c, &c->step[i], kind, callee, library))
			continue;
		if (found != FLOW_NONE || c->step[i].ambiguous)
			return false;
		found = i;
	}
	link->kind = kind;
	for (uint32_t i = found; i != FLOW_NONE; i = c->step[i].before)
		link->missing[link->n++] = c->step[i].function;
	return found != FLOW_NONE;
}

/* -- calls through pointers and by routines ---------------------------------------------------- */

/* Whether OpenMP's runtime may run tasks in this call. Such tasks were created elsewhere, so this
 * call does not call them back. */
static bool runs_tasks(const struct chains *c, uint32_t value)
{
	static const char prefix[] = "__kmpc_";
	const struct flow_object *called = flow_called_object(c->program, value);
	if (!called || strncmp(called->linkage, prefix, sizeof prefix - 1) != 0)
		return false;
	const struct routine *routine = routines_find(c->routines, called->linkage);
	for (size_t i = 0; routine && i < routine->effects; i++)
		if (routine->effect[i].verb == ROUTINE_CALL)
			return false;
	return true;
}

/* Adds the frame's calls that may call the next frame's function without naming it: calls through
 * pointers, or calls of routines that call back. */
static void add_seen_calls(struct chains *c, const struct placed_frame *frame, uint32_t callee,
			   bool pointers)
{
	const struct flow_range values = c->program->function.at[frame->function].value;
	for (uint32_t i = values.first; frame->count == 1 && i < values.first + values.n; i++) {
		if (!is_at(c, frame, i) || c->program->value.at[i].op != SIS_BLAME_CALL)
			continue;
		if (pointers ? is_by_pointer(c, i) && fits(c, i, callee) :
		    (called_by(c, i) == FLOW_NONE && !runs_tasks(c, i)))
			flow_analysis_add_call(c->analysis, i, callee);
	}
}

/* -- links between frames ---------------------------------------------------------------------- */

/* Whether the function is the body of a construct or task of OpenMP. Only the function around a
 * body runs it. */
static bool is_body(const struct chains *c, uint32_t function)
{
	return c->program->function.at[function].flags &
		(SIS_BLAME_FUNCTION_OUTLINED | SIS_BLAME_FUNCTION_TASK);
}

static void find_link(struct chains *c, const struct placed_frame *frame, uint32_t callee,
		      struct link *link)
{
	const struct tail_calls *tail;
	bool library = frame->callee != NULL;
	struct calls calls = first_steps(c, frame, callee);
	if (calls.direct)
		return;
	take_steps(c);
	if (find_way(c, TAIL_FUNCTION, callee, library, link) || is_body(c, callee))
		return;
	if (!library && calls.pointer) {
		add_seen_calls(c, frame, callee, true);
	} else if (find_way(c, TAIL_POINTER, callee, library, link)) {
		tail = tail_calls_of(c->tail, c->program, link->missing[0]);
		for (size_t i = 0; i < tail->call.n; i++)
			if (leads(c, &tail->call.at[i], TAIL_POINTER, callee))
				flow_analysis_add_call(c->analysis, tail->call.at[i].value, callee);
	} else {
		add_seen_calls(c, frame, callee, false);
	}
}

/* The link from a frame to `callee` or, if that is FLOW_NONE, to a library's routine that the
 * function `named` calls. */
static struct link link_of(struct chains *c, const struct placed_frame *frame, uint32_t callee,
			   uint32_t named)
{
	bool fresh;
	uint64_t more = callee != FLOW_NONE ? callee : (uint64_t)named << 32 | callee;
	uint32_t at = map_put(&c->links, (uint64_t)frame->function << 32 | frame->statement,
			      more ^ (uint64_t)frame->count << 33 ^ (uint64_t)!frame->callee << 32,
			      (uint32_t)c->link.n, &fresh);
	if (fresh) {
		struct link link = { .n = 0 };
		if (callee != FLOW_NONE) {
			find_link(c, frame, callee, &link);
		} else if (first_steps(c, frame, named).direct) {
			/* `named` is not on the stack, so its last call must be that of the
			 * routine */
			c->step[0] = (struct step){ named, FLOW_NONE, 1, false, false };
			c->steps = 1;
			take_steps(c);
			find_way(c, TAIL_ROUTINE, FLOW_NONE, false, &link);
		}
		*vec_push(&c->link) = link;
	}
	return c->link.at[at];
}

/* -- completing stacks ------------------------------------------------------------------------- */

static void add_statement(struct placed *out, struct placed_frame *frame, uint32_t statement)
{
	for (uint32_t i = 0; i < frame->count; i++)
		if (out->statement.at[frame->first + i] == statement)
			return;
	*vec_push(&out->statement) = statement;
	frame->count++;
}

/* Adds the frame of a function that made a tail call. */
static void add_missing(struct chains *c, uint32_t function, enum tail_kind kind, uint32_t callee,
			const struct placed_frame *outer)
{
	struct placed *out = c->out;
	const struct tail_calls *tail = tail_calls_of(c->tail, c->program, function);
	struct placed_frame frame = { .function = function, .first = (uint32_t)out->statement.n,
				      .completed = outer->completed };
	const char *routine = NULL;
	for (size_t i = 0; i < tail->call.n; i++) {
		const struct tail_call *call = &tail->call.at[i];
		if (!leads(c, call, kind, callee))
			continue;
		add_statement(out, &frame, c->program->value.at[call->value].statement);
		if (kind == TAIL_ROUTINE)
			routine = flow_called_object(c->program, call->value)->linkage;
	}
	frame.statement = out->statement.at[frame.first];
	frame.how = frame.count == 1 ? PLACED_STATEMENT : PLACED_AMBIGUOUS;
	frame.callee = frame.count == 1 ? routine : NULL;
	*vec_push(&out->frame) = frame;
}

static void add_link(struct chains *c, const struct link *link, uint32_t callee,
		     const struct placed_frame *outer)
{
	enum tail_kind kind = link->kind;
	for (uint32_t i = 0; i < link->n; i++) {
		add_missing(c, link->missing[i], kind, callee, outer);
		callee = link->missing[i];
		kind = TAIL_FUNCTION;
	}
}

/* Whether a frame and the next inner frame are of the same task function. This happens if a part of
 * an untied task runs inside of another part, or a task inside of another task of the same
 * construct. Both tasks are created at the same statement. A task function does not call itself, so
 * this is no recursion. */
static bool is_task_again(const struct chains *c, const struct placed_frame *frame)
{
	return frame[0].function == frame[-1].function &&
		(c->program->function.at[frame->function].flags & SIS_BLAME_FUNCTION_TASK);
}

static void add_stack(struct chains *c, const struct placed_stack *stack)
{
	const struct placed_frame *frame = c->placed->frame.at + stack->first;
	struct placed_stack out = *stack;
	out.first = c->out->frame.n;
	if (stack->frames && frame->callee) {
		uint32_t named = flow_function_find(c->program, frame->callee);
		if (named != FLOW_NONE) {
			struct link link = link_of(c, frame, FLOW_NONE, named);
			add_link(c, &link, FLOW_NONE, frame);
		}
	}
	for (uint32_t i = 0; i < stack->frames; i++) {
		if (i && is_task_again(c, &frame[i]))
			continue;
		/* no frame is missing between a body and the function that creates it; blame.c has
		 * rules for these frames */
		bool is_made_here = i && is_body(c, frame[i - 1].function) &&
			c->program->function.at[frame[i - 1].function].around == frame[i].function;
		if (i && !is_made_here) {
			struct link link = link_of(c, &frame[i], frame[i - 1].function, FLOW_NONE);
			add_link(c, &link, frame[i - 1].function, &frame[i]);
		}
		*vec_push(&c->out->frame) = frame[i];
	}
	out.frames = (uint32_t)(c->out->frame.n - out.first);
	*vec_push(&c->out->stack) = out;
}

void call_chain_complete(struct placed *completed, struct flow_analysis *analysis,
			 const struct flow_program *program, const struct routines *routines,
			 const struct placed *placed)
{
	struct chains c = { .out = completed, .analysis = analysis, .program = program,
			    .routines = routines, .placed = placed };
	*completed = (struct placed){ 0 };
	c.tail = mem_alloc(program->function.n + 1, sizeof *c.tail);
	for (size_t i = 0; i < placed->statement.n; i++)
		*vec_push(&completed->statement) = placed->statement.at[i];
	for (size_t i = 0; i < placed->stack.n; i++)
		add_stack(&c, &placed->stack.at[i]);
	for (size_t i = 0; i < program->function.n; i++)
		vec_free(&c.tail[i].call);
	free(c.tail);
	vec_free(&c.link);
	map_free(&c.links);
}
