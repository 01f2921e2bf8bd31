/* SPDX-License-Identifier: BSD-3-Clause */
/* measured_stacks.c - makes the stacks of measured times (measured_stacks.h). One thread calls it.
 * measured_frames.c makes the frames. Times that belong to no variable have stacks, too, so that
 * the rows add up to the whole measured time. */
#include "blame/attribute/measured_stacks.h"

#include <stdlib.h>

#include "base/buf.h"
#include "blame/attribute/measured_frames.h"

#define NAMES_MOST 5u /* most names of functions in a sentence */

/* Most units of a stack: blame.c multiplies them by BLAME_UNIT. */
static const uint64_t MOST = 1000000000000;

struct maker {
	struct measured_stacks *m;
	const struct experiment *x;
	struct measured_frames frames;
	struct map stack_of;   /* (node, subject) -> index of `known` */
	VEC(struct known_frames) known;
	struct map keys;       /* (PU, leaf x measure) -> index of m->key */
};

/* -- subjects and stacks of measured times ----------------------------------------------------- */

static bool is_waited_or_moved(const struct region *r)
{
	return r->callee && r->routine && r->line_start > 0 &&
	       (sis_region_in(r->type, CR_MPI) || sis_region_in(r->type, CR_OMP) ||
		sis_region_in(r->type, CR_PTMUTEX) || sis_region_in(r->type, CR_PTCOND) ||
		sis_region_in(r->type, CR_PTJOIN));
}

/* Whether threads wait for the construct itself, and not for something inside of it. */
static bool waits_for_all(const struct region *r, enum sis_overhead leaf)
{
	return leaf == OADD_RED || r->type == RT_IBAR || r->type == RT_UNPAR ||
		r->type == RT_PART || r->type == RT_ATOMIC ||
		(r->reductions && sis_overhead_in(leaf, OSYNC));
}

/* Sets *source to the node of the call or construct that the time belongs to, and *name to the name
 * of this call or construct. */
static enum subject subject_of(const struct experiment *x, uint32_t node, enum sis_overhead leaf,
			       uint32_t *source, const char **name)
{
	*source = x->model.node.at[node].source;
	const struct region *own = region_of_node(x, node), *r = region_of_node(x, *source);
	*name = r->name;
	if (is_waited_or_moved(r))
		return OF_CALL;
	if (r->line_start > 0 && r->reductions && waits_for_all(own, leaf))
		return OF_REDUCTION;
	if (r->line_start > 0 && (r->routine || sis_region_in(r->type, CR_OMP)))
		return OF_CONSTRUCT;
	*name = own->name;
	if (r->line_start > 0 && (sis_region_in(own->type, CR_MPI) ||
				  sis_overhead_in(sis_region_table[own->type].leaf, OSYNC))) {
		*source = node;
		return OF_CONSTRUCT;
	}
	*name = NULL;
	return OF_RUN;
}

static void add_stack(struct maker *k, uint32_t node, const struct measured_key *key,
		      uint64_t amount)
{
	struct measured_stacks *m = k->m;
	uint32_t source;
	const char *name;
	enum subject subject = subject_of(k->x, node, key->leaf, &source, &name);
	bool fresh, whole = key->measure == MEASURED_CALLS;
	uint32_t at = map_put(&k->stack_of, source, subject, (uint32_t)k->known.n, &fresh);
	if (fresh)
		*vec_push(&k->known) = measured_frames_add(&k->frames, source, subject, name);
	const struct known_frames *known = &k->known.at[at];
	uint64_t count = whole ? amount : (amount + m->scale / 2) / m->scale;
	if (key->measure == MEASURED_NS && known->unknown)
		m->unknown_ns += amount;
	if (known->frames == 0 || count == 0)
		return;
	uint32_t slot = map_put(&k->keys, key->pu, (uint64_t)key->leaf * 3 + key->measure,
				(uint32_t)m->key.n, &fresh);
	if (fresh)
		*vec_push(&m->key) = *key;
	*vec_push(&m->placed.stack) = (struct placed_stack){
		.slot = slot, .node = source, .count = count, .weight = count,
		.first = known->first, .frames = known->frames,
		.how = m->placed.frame.at[known->first].how, .truncated = known->truncated };
}

/* LIMIT: the library of a function is not known, so the sentence names the function. */
static void warn_unknown(struct maker *k)
{
	struct buf names = { 0 };
	for (size_t i = 0; i < k->frames.unknown.n && i < NAMES_MOST; i++)
		buf_print(&names, "%s%s", i ? ", " : "", k->frames.unknown.at[i]);
	if (k->frames.unknown.n > NAMES_MOST)
		buf_print(&names, " and %zu more", k->frames.unknown.n - NAMES_MOST);
	char *list = buf_take(&names);
	if (k->m->unknown_ns)
		k->m->doubt = mem_print("%.6f s of waits and transfers are in functions without "
					"analysis (%s); their callers divide them among what the "
					"functions get. Build their library with sisc --sis-blame",
					(double)k->m->unknown_ns / 1e9, list);
	free(list);
}

static uint64_t scale_of(const struct experiment *x)
{
	uint64_t ns = 0, bytes = 0, scale = 1;
	for (size_t i = 0; i < x->classify.booking.n; i++)
		ns += x->classify.booking.at[i].ns > 0 ? (uint64_t)x->classify.booking.at[i].ns : 0;
	for (size_t i = 0; i < x->match.traffic.n; i++)
		bytes += x->match.traffic.at[i].bytes;
	while ((ns > bytes ? ns : bytes) / scale > MOST)
		scale *= 10;
	return scale;
}

void measured_stacks_make(struct measured_stacks *m, const struct experiment *x,
			  const struct flow_program *program)
{
	*m = (struct measured_stacks){ .scale = scale_of(x) };
	struct maker k = { .m = m, .x = x };
	measured_frames_init(&k.frames, &m->placed, x, program);
	for (size_t i = 0; i < x->classify.booking.n; i++) {
		const struct booking *b = &x->classify.booking.at[i];
		const struct measured_key key = { b->pu, b->leaf, MEASURED_NS };
		if (b->ns > 0)
			add_stack(&k, b->node, &key, (uint64_t)b->ns);
	}
	for (size_t i = 0; i < x->match.traffic.n; i++) {
		const struct traffic *t = &x->match.traffic.at[i];
		const struct region *r = region_of_node(x, t->node);
		if (!r->routine)
			continue;
		struct measured_key key = { t->pu, r->routine->leaf, MEASURED_BYTES };
		add_stack(&k, t->node, &key, t->bytes);
		key.measure = MEASURED_CALLS;
		add_stack(&k, t->node, &key, t->calls);
	}
	warn_unknown(&k);
	map_free(&k.stack_of);
	map_free(&k.keys);
	vec_free(&k.known);
	measured_frames_release(&k.frames);
}

void measured_stacks_release(struct measured_stacks *m)
{
	placed_release(&m->placed);
	vec_free(&m->key);
	free(m->doubt);
}
