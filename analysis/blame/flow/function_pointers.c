/* SPDX-License-Identifier: BSD-3-Clause */
/* function_pointers.c - finds the functions that calls through pointers may run, for calls whose
 * functions no sample shows. One thread calls it. The addresses of functions are followed through
 * the whole program:
 *
 *      algo.update = HPL_pdupdateTT;      function -> slot (struct HPL_S_palg, 48)
 *      p->algo->update(p, n);             slot -> call
 *
 * A slot is a field of a type, or a scalar type; all memory with this type and offset is one slot.
 * So a call may get functions that it never runs. It lacks a function that it runs only if an
 * address goes through a pointer of another type.
 *
 * LIMIT: a call that may run more than TARGETS_MOST functions gets none. */
#include <stdlib.h>
#include <string.h>

#include "blame/flow/graph_internal.h"
#include "blame/flow/pointed.h"
#include "blame/flow/types.h"

#define TARGETS_MOST 8u
#define POINTER_BYTES 8

typedef VEC(uint32_t) numbers;

/* A slot in memory: the values that are loaded from it, and the functions whose addresses are
 * stored to it. */
struct slot { numbers load, function; };

struct follower {
	struct flow_analysis *a;
	const struct flow_program *program;
	struct flow_pointed *pointed; /* what each value points to */
	uint32_t *first_user, *user;  /* the values that use each value */
	struct map slots;             /* (type, offset) -> slot */
	VEC(struct slot) slot;
	struct map holders;           /* value -> held */
	VEC(numbers) held;            /* the functions whose addresses the value may be */
	VEC(uint64_t) queue;          /* value << 32 | function */
	numbers *caller, *result;     /* of each function: its calls; the functions whose addresses
	                               * it returns */
	struct map calls;             /* call through a pointer -> index of `target` */
	VEC(numbers) target;
};

/* Adds a number. False: the list has it already. The lists are short. */
static bool add_number(numbers *list, uint32_t number)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->at[i] == number)
			return false;
	*vec_push(list) = number;
	return true;
}

/* -- slots and users of values ----------------------------------------------------------------- */

/* The slot at an address; NULL: the type there is not known. */
static struct slot *slot_at(struct follower *t, uint32_t address)
{
	struct flow_pointed at = address == FLOW_NONE ? (struct flow_pointed){ FLOW_NONE, 0 } :
						   t->pointed[address];
	uint64_t offset = at.offset, inside = 0;
	uint32_t around = FLOW_NONE;
	uint32_t type = flow_type_descend(t->program, at.type, &offset, &around, &inside);
	if (around == FLOW_NONE)
		around = type, inside = 0;
	if (around == FLOW_NONE)
		return NULL;
	bool fresh;
	/* a type in several units has one name, and each name is stored once */
	const char *name = t->program->type.at[around].name;
	bool is_named = *name && !strchr(name, '?') && !strchr(name, '{');
	uint32_t number = map_put(&t->slots, is_named ? (uintptr_t)name : around, inside,
				  (uint32_t)t->slot.n, &fresh);
	return fresh ? vec_push(&t->slot) : &t->slot.at[number];
}

static void find_users(struct follower *t)
{
	const struct flow_program *p = t->program;
	t->first_user = mem_alloc(p->value.n + 2, sizeof *t->first_user);
	t->user = mem_alloc(p->number.n + 1, sizeof *t->user);
	for (uint32_t i = 0; i < p->value.n; i++)
		for (uint32_t k = 0; k < p->value.at[i].operand.n; k++)
			if (flow_operand(p, i, k) != FLOW_NONE)
				t->first_user[flow_operand(p, i, k) + 2]++;
	for (size_t i = 2; i <= p->value.n + 1; i++)
		t->first_user[i] += t->first_user[i - 1];
	for (uint32_t i = 0; i < p->value.n; i++)
		for (uint32_t k = 0; k < p->value.at[i].operand.n; k++)
			if (flow_operand(p, i, k) != FLOW_NONE)
				t->user[t->first_user[flow_operand(p, i, k) + 1]++] = i;
}

/* -- following an address ---------------------------------------------------------------------- */

static void hold(struct follower *t, uint32_t value, uint32_t function)
{
	bool fresh;
	if (value == FLOW_NONE)
		return;
	uint32_t at = map_put(&t->holders, value, 0, (uint32_t)t->held.n, &fresh);
	numbers *held = fresh ? vec_push(&t->held) : &t->held.at[at];
	if (add_number(held, function))
		*vec_push(&t->queue) = (uint64_t)value << 32 | function;
}

static uint32_t parameter_of(const struct follower *t, uint32_t function, uint32_t number)
{
	const struct flow_range values = t->program->function.at[function].value;
	for (uint32_t i = values.first; i < values.first + values.n; i++)
		if (t->program->value.at[i].op == SIS_BLAME_PARAMETER &&
		    t->program->value.at[i].object == number)
			return i;
		else if (t->program->value.at[i].op != SIS_BLAME_PARAMETER)
			break;
	return FLOW_NONE;
}

static bool has_targets(const struct follower *t, uint32_t call)
{
	return t->a->first_target[call] < t->a->first_target[call + 1];
}

static bool takes_as_many(const struct follower *t, uint32_t call, uint32_t function)
{
	const struct flow_function *f = &t->program->function.at[function];
	return t->program->value.at[call].operand.n == f->parameter.n + 1 ||
		(f->flags & SIS_BLAME_FUNCTION_VARIADIC);
}

/* Notes that the call may run the function. */
static void call_runs(struct follower *t, uint32_t call, uint32_t function)
{
	bool fresh;
	uint32_t at = map_put(&t->calls, call, 0, (uint32_t)t->target.n, &fresh);
	numbers *target = fresh ? vec_push(&t->target) : &t->target.at[at];
	if (!add_number(target, function) || flow_calls_library(t->program, call))
		return;
	*vec_push(&t->caller[function]) = call;
	for (uint32_t i = 1; i < t->program->value.at[call].operand.n; i++) {
		uint32_t argument = flow_operand(t->program, call, i);
		uint32_t held = argument == FLOW_NONE ? MAP_NONE :
							map_get(&t->holders, argument, 0);
		for (size_t k = 0; held != MAP_NONE && k < t->held.at[held].n; k++)
			hold(t, parameter_of(t, function, i - 1), t->held.at[held].at[k]);
	}
	for (size_t i = 0; i < t->result[function].n; i++)
		hold(t, call, t->result[function].at[i]);
}

static void pass_to(struct follower *t, const uint32_t *callee, size_t n, uint32_t number,
		    uint32_t function)
{
	for (size_t i = 0; i < n; i++)
		hold(t, parameter_of(t, callee[i], number), function);
}

/* Follows the address of `function` into a call. `value`, which holds the address, is the callee or
 * an argument of the call. */
static void follow_call(struct follower *t, uint32_t call, uint32_t value, uint32_t function)
{
	const struct flow_analysis *a = t->a;
	bool is_call = t->program->value.at[call].op == SIS_BLAME_CALL;
	uint32_t first = a->first_target[call];
	for (uint32_t i = 0; i < t->program->value.at[call].operand.n; i++) {
		if (flow_operand(t->program, call, i) != value)
			continue;
		if (is_call && (i == 0 || flow_calls_library(t->program, call))) {
			if (!has_targets(t, call) && (i || takes_as_many(t, call, function)))
				call_runs(t, call, function);
			continue;
		}
		pass_to(t, a->target.at + first, a->first_target[call + 1] - first, i - is_call,
			function);
		uint32_t at = map_get(&t->calls, call, 0);
		if (at != MAP_NONE)
			pass_to(t, t->target.at[at].at, t->target.at[at].n, i - is_call, function);
	}
}

static void follow_return(struct follower *t, uint32_t value, uint32_t function)
{
	uint32_t from = flow_function_of(t->program, value);
	if (!add_number(&t->result[from], function))
		return;
	for (size_t i = 0; i < t->caller[from].n; i++)
		hold(t, t->caller[from].at[i], function);
}

static void follow_store(struct follower *t, uint32_t store, uint32_t value, uint32_t function)
{
	const struct slot *slot = flow_operand(t->program, store, 1) == value ?
		slot_at(t, flow_operand(t->program, store, 0)) : NULL;
	if (!slot || !add_number(&t->slot.at[slot - t->slot.at].function, function))
		return;
	for (size_t i = 0; i < slot->load.n; i++)
		hold(t, slot->load.at[i], function);
}

static void follow_value(struct follower *t, uint32_t value, uint32_t function)
{
	for (uint32_t i = t->first_user[value]; i < t->first_user[value + 1]; i++) {
		uint32_t user = t->user[i];
		switch (t->program->value.at[user].op) {
		case SIS_BLAME_DEFINE:
		case SIS_BLAME_MEET:
		case SIS_BLAME_COMPUTE:
			hold(t, user, function);
			break;
		case SIS_BLAME_STORE:
			follow_store(t, user, value, function);
			break;
		case SIS_BLAME_CALL:
		case SIS_BLAME_FORK:
			follow_call(t, user, value, function);
			break;
		case SIS_BLAME_RETURN:
			follow_return(t, user, function);
			break;
		default:
			break;
		}
	}
}

/* -- all addresses and calls ------------------------------------------------------------------- */

/* Whether there is a call through a pointer for which no sample shows a function. */
static bool is_needed(const struct follower *t)
{
	for (uint32_t i = 0; i < t->program->value.n; i++)
		if (t->program->value.at[i].op == SIS_BLAME_CALL && !has_targets(t, i) &&
		    !flow_calls_library(t->program, i))
			return true;
	return false;
}

static void follow_all(struct follower *t)
{
	const struct flow_analysis *a = t->a;
	const struct flow_program *p = t->program;
	find_users(t);
	t->caller = mem_alloc(p->function.n + 1, sizeof *t->caller);
	t->result = mem_alloc(p->function.n + 1, sizeof *t->result);
	t->pointed = flow__pointed(p);
	for (uint32_t i = 0; i < p->value.n; i++) {
		const struct flow_value *v = &p->value.at[i];
		for (uint32_t k = a->first_target[i]; k < a->first_target[i + 1]; k++)
			*vec_push(&t->caller[a->target.at[k]]) = i;
		struct slot *slot = v->op == SIS_BLAME_LOAD &&
				(v->number == 0 || v->number == POINTER_BYTES) ?
			slot_at(t, flow_operand(p, i, 0)) : NULL;
		if (slot)
			*vec_push(&slot->load) = i;
	}
	for (uint32_t i = 0; i < p->value.n; i++)
		if (flow_function_at(p, i) != FLOW_NONE)
			hold(t, i, flow_function_at(p, i));
	for (size_t i = 0; i < t->queue.n; i++)
		follow_value(t, (uint32_t)(t->queue.at[i] >> 32), (uint32_t)t->queue.at[i]);
}

static void release_follower(struct follower *t)
{
	for (size_t i = 0; i < t->slot.n; i++) {
		vec_free(&t->slot.at[i].load);
		vec_free(&t->slot.at[i].function);
	}
	for (size_t i = 0; i < t->held.n; i++)
		vec_free(&t->held.at[i]);
	for (size_t i = 0; i < t->target.n; i++)
		vec_free(&t->target.at[i]);
	for (size_t i = 0; t->caller && i < t->program->function.n; i++) {
		vec_free(&t->caller[i]);
		vec_free(&t->result[i]);
	}
	free(t->pointed);
	free(t->first_user);
	free(t->user);
	free(t->caller);
	free(t->result);
	vec_free(&t->slot);
	vec_free(&t->held);
	vec_free(&t->queue);
	vec_free(&t->target);
	map_free(&t->slots);
	map_free(&t->holders);
	map_free(&t->calls);
}

bool flow__function_pointers(struct flow_analysis *a)
{
	struct follower t = { .a = a, .program = a->program };
	size_t before = a->fact.n;
	if (is_needed(&t))
		follow_all(&t);
	for (size_t i = 0; i < t.calls.slots; i++) {
		const struct map_entry *call = &t.calls.slot[i];
		const numbers *target = call->used ? &t.target.at[call->value] : NULL;
		for (size_t k = 0; target && target->n <= TARGETS_MOST && k < target->n; k++)
			*vec_push(&a->fact) = call->a << 32 | target->at[k];
	}
	release_follower(&t);
	return a->fact.n > before;
}
