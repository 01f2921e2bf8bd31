/* SPDX-License-Identifier: BSD-3-Clause */
/* doubts.c - counts samples whose blame is not certain (doubts.h). One thread calls it. A frame of
 * a stack may be in several states, each with a part of the samples. So units are summed over the
 * states of a frame. The sum of the stack is the largest sum of its frames. */
#include "blame/attribute/doubts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sort.h"

#define NAMES_MOST 5u /* most names in a sentence */

/* Each sentence shows the number of samples and a list of names. */
static const char *const sentence[DOUBT_REASONS] = {
	[FLOW_DOUBT_FUNCTION] =
		"the work of %" PRIu64 " samples enters functions without analysis (%s), whose "
		"effects are guessed; build them with sisc --sis-blame, or describe them "
		"(--routines of sis-analyze import)",
	[FLOW_DOUBT_POINTER] =
		"the work of %" PRIu64 " samples enters calls through pointers (%s), and no sample "
		"shows which functions they run, so their effects are guessed; take more samples",
	[FLOW_DOUBT_ASSEMBLY] =
		"the work of %" PRIu64 " samples enters inline assembly with the clobber "
		"\"memory\" (%s); only memory behind its operands is followed, so name what it "
		"reads and writes as operands",
	[FLOW_DOUBT_JUMP] =
		"the work of %" PRIu64 " samples decides about a longjmp (%s); what it decides "
		"behind the setjmp is not followed",
	[DOUBT_LOST] =
		"the call of a function was not found in its caller for %" PRIu64 " samples (%s), "
		"as in handlers of signals, in tasks that run in another function than the one "
		"that makes them, and if several calls may be jumps; their blame does not rise "
		"there",
	[DOUBT_CUT] =
		"the stacks of %" PRIu64 " samples are too deep to be followed to main (they begin "
		"in %s), so variables of the functions above get nothing of them",
};

/* -- counting samples -------------------------------------------------------------------------- */

void doubts_begin_frame(struct doubts *d)
{
	for (unsigned i = 0; i < DOUBT_REASONS; i++)
		d->units[i].frame = 0;
}

void doubts_end_stack(struct doubts *d)
{
	for (unsigned i = 0; i < DOUBT_REASONS; i++) {
		d->units[i].all += d->units[i].stack;
		d->units[i].stack = 0;
	}
}

static void count(struct doubts *d, unsigned reason, uint64_t units)
{
	struct doubt_units *u = &d->units[reason];
	u->frame += units;
	if (u->frame > u->stack)
		u->stack = u->frame;
}

/* Takes ownership of `name`, and may free it. */
static void add_name(struct doubts *d, unsigned reason, char *name, uint64_t units)
{
	bool fresh;
	char *key = mem_print("%u %s", reason, name);
	uint32_t at = strmap_put(&d->names, key, (uint32_t)d->list.n, &fresh);
	free(key);
	if (fresh)
		*vec_push(&d->list) = (struct doubt){ reason, name, 0 };
	else
		free(name);
	d->list.at[at].units += units;
}

/* Returns the place of a value as text, such as "solve at file.c:12". */
static char *place_of(const struct flow_program *p, uint32_t value)
{
	const struct flow_function *f = &p->function.at[flow_function_of(p, value)];
	const struct flow_statement *s =
		&p->statement.at[f->statement.first + p->value.at[value].statement];
	const char *path = s->file == FLOW_NONE ? "" : p->file.at[s->file];
	const char *base = strrchr(path, '/');
	return *path ? mem_print("%s at %s:%u", f->name, base ? base + 1 : path, s->line) :
		       mem_string(f->name);
}

void doubts_add(struct doubts *d, const struct frame_result *r, uint64_t units)
{
	bool counted[DOUBT_REASONS] = { false };
	for (size_t i = 0; i < r->doubt.n; i++) {
		const struct flow_doubt *doubt = &r->doubt.at[i];
		if (!counted[doubt->kind])
			count(d, doubt->kind, units);
		counted[doubt->kind] = true;
		add_name(d, doubt->kind, doubt->kind == FLOW_DOUBT_FUNCTION ?
			 mem_string(flow_called_object(d->program, doubt->value)->name) :
			 place_of(d->program, doubt->value), units);
	}
}

void doubts_add_lost(struct doubts *d, const struct frame_result *r, uint64_t units)
{
	const struct flow_function *function = d->program->function.at;
	count(d, DOUBT_LOST, units);
	add_name(d, DOUBT_LOST, mem_print("%s in %s", function[r->key.callee].name,
					  function[r->key.function].name), units);
}

void doubts_add_cut(struct doubts *d, uint32_t function, uint64_t units)
{
	doubts_begin_frame(d);
	count(d, DOUBT_CUT, units);
	add_name(d, DOUBT_CUT, mem_string(d->program->function.at[function].name), units);
	doubts_end_stack(d);
}

/* -- writing sentences ------------------------------------------------------------------------- */

static int order_doubts(const void *a, const void *b)
{
	const struct doubt *x = a, *y = b;
	return ORDER(x->reason, y->reason) ?: ORDER(y->units, x->units) ?:
		strcmp(x->name, y->name);
}

void doubts_write(struct doubts *d, struct blame *blame)
{
	vec_sort(&d->list, order_doubts);
	for (unsigned i = 0; i < DOUBT_REASONS; i++) {
		uint64_t samples = d->units[i].all / BLAME_UNIT;
		if (!samples)
			continue;
		struct buf text = { 0 };
		size_t n = 0;
		for (size_t k = 0; k < d->list.n; k++)
			if (d->list.at[k].reason == i && n++ < NAMES_MOST)
				buf_print(&text, "%s%s", n > 1 ? ", " : "", d->list.at[k].name);
		if (n > NAMES_MOST)
			buf_print(&text, " and %zu more", n - NAMES_MOST);
		char *names = buf_take(&text);
		*vec_push(&blame->doubt) = mem_print(sentence[i], samples, names);
		free(names);
	}
}

void doubts_release(struct doubts *d)
{
	for (size_t i = 0; i < d->list.n; i++)
		free(d->list.at[i].name);
	vec_free(&d->list);
	strmap_free(&d->names);
}
