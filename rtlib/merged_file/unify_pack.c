/* SPDX-License-Identifier: BSD-3-Clause */
/* unify_pack.c - one process's part of the file for all ranks (schema/unified.h). The thread that
 * is in MPI_Finalize, which needs its size, and the one that ends the process.
 *
 * Addresses become numbers of nodes, and what the definitions have is left out. What readers can
 * derive is not written: the next path, the parent that follows from the path, minimum and maximum
 * of a single activation. If all ranks do the same, a node takes its calls, its time and one byte.
 */
#include <stdlib.h>
#include <string.h>

#include "merged_file/unify_pack.h"

static const struct sis_chunk *next(const struct sis_pack *p, const struct sis_chunk *chunk,
				    enum sis_chunk_kind kind)
{
	return sis__image_next(p->image, chunk, kind);
}

/* -- header, units ----------------------------------------------------------------------------- */

enum { SAME_LEAST = 4 }; /* shorter runs of equal bytes are written as if they differed */

static uint64_t same_from(const unsigned char *a, const unsigned char *b, uint64_t at, uint64_t end)
{
	uint64_t n = 0;
	while (at + n < end && a[at + n] == b[at + n])
		n++;
	return n;
}

static void put_header(struct sis_pack *p)
{
	const unsigned char *own = (const unsigned char *)p->image->header;
	const unsigned char *other = (const unsigned char *)&p->defs->reference;
	uint64_t end = sizeof p->defs->reference;
	for (uint64_t at = 0; at < end;) {
		uint64_t same = same_from(own, other, at, end), differ = 0, more;
		at += same;
		while (at + differ < end &&
		       (more = same_from(own, other, at + differ, end)) < SAME_LEAST)
			differ += more + 1;
		differ = differ < end - at ? differ : end - at;
		if (differ == 0)
			break;
		sis__pack_number(p, same);
		sis__pack_number(p, differ);
		sis__bytes_put(p->out, own + at, differ);
		at += differ;
	}
	sis__pack_number(p, 0);
	sis__pack_number(p, 0);
}

static void put_units(struct sis_pack *p)
{
	sis__pack_number(p, p->ids.ranges);
	for (uint32_t i = 0; i < p->ids.ranges; i++) {
		p->failed |= p->ids.range[i].unit == SIS_UNIFY_NONE;
		sis__pack_number(p, p->ids.range[i].first);
		sis__pack_number(p, p->ids.range[i].unit);
	}
}

/* -- nodes ------------------------------------------------------------------------------------- */

/* A node whose parent is not before it becomes a child of the root; one whose region has no unit
 * gets region 0. */
static void find_paths(struct sis_pack *p)
{
	for (uint32_t c = 0; c < p->image->chunks; c++)
		for (uint64_t k = 0; k < p->image->chunk[c].count; k++) {
			const struct sis_node *node = &p->image->chunk[c].node[k];
			uint64_t here = p->image->chunk[c].first + k + 1,
				 parent = sis__image_node(p->image, node->parent);
			uint32_t id = sis_node_region(node);
			uint32_t region = sis__unify_region(&p->ids, p->defs, id);
			p->parent[here] = parent < here ? parent : 0;
			region = region != SIS_UNIFY_NONE ? region : 0;
			bool is_root = p->parent[here] == 0 && region == 2 * RT_RUN;
			p->path[here] = is_root ? 0
						: sis__unify_defs_node(p->defs,
								       p->path[p->parent[here]],
								       region);
		}
	p->failed |= p->defs->failed;
}

static void put_own_paths(struct sis_pack *p)
{
	sis__pack_number(p, p->defs->nodes - p->defs->shared);
	for (uint32_t i = p->defs->shared; i < p->defs->nodes; i++) {
		sis__pack_number(p, p->defs->node[i].parent);
		sis__pack_number(p, p->defs->node[i].region);
	}
}

static void put_path_column(struct sis_pack *p)
{
	uint64_t nodes = p->image->nodes, due = 0;
	for (uint64_t i = 1, run; i <= nodes; i += run) {
		for (run = 1; i + run <= nodes && p->path[i + run] == p->path[i] + run; run++)
			;
		sis__bytes_signed(p->out, (int64_t)p->path[i] - (int64_t)due);
		sis__pack_number(p, run - 1);
		due = p->path[i] + run;
	}
}

/* A parent is written only if it is not the last node of its path. */
static void put_parent_column(struct sis_pack *p)
{
	uint64_t *last = calloc(p->defs->nodes, sizeof *last), before = 0, count = 0;
	struct sis_bytes list = { 0 };
	p->failed |= !last;
	for (uint64_t i = 1; last && i <= p->image->nodes; i++) {
		uint32_t path = p->path[i];
		if (p->parent[i] != (path ? last[p->defs->node[path].parent] : 0)) {
			sis__bytes_number(&list, i - before);
			sis__bytes_number(&list, p->parent[i]);
			before = i;
			count++;
		}
		last[path] = i;
	}
	free(last);
	sis__pack_list(p, count, &list);
}

typedef void column_fn(struct sis_pack *p, const struct sis_node *node);

static void put_calls(struct sis_pack *p, const struct sis_node *node)
{
	sis__pack_number(p, node->calls);
}
static void put_total(struct sis_pack *p, const struct sis_node *node)
{
	sis__pack_number(p, node->total);
}
static void put_extremes(struct sis_pack *p, const struct sis_node *node)
{
	bool none = node->min == UINT64_MAX && node->max == 0;
	if (none || (node->min == node->total && node->max == node->total)) {
		sis__pack_number(p, none);
		return;
	}
	bool ordered = node->max >= node->min;
	sis__pack_number(p, ordered ? 2 : 3);
	sis__pack_number(p, node->min);
	sis__pack_number(p, ordered ? node->max - node->min : node->max);
}

static void put_column(struct sis_pack *p, column_fn *put)
{
	for (uint32_t c = 0; c < p->image->chunks; c++)
		for (uint64_t k = 0; k < p->image->chunk[c].count; k++)
			put(p, &p->image->chunk[c].node[k]);
}

static bool is_in_image(const struct sis_pack *p, const void *address, uint64_t bytes)
{
	uint64_t offset = (uint64_t)(uintptr_t)address - p->image->header->base;
	return offset >= SIS_PAGE && offset < p->image->header->size &&
	       p->image->header->size - offset >= bytes;
}

static const struct sis_values *values_of(const struct sis_pack *p, const struct sis_node *node)
{
	if (!node->values || !is_in_image(p, node->values, sizeof *node->values))
		return NULL;
	const char *base = (const char *)p->image->header;
	const struct sis_values *values =
		(const void *)(base + ((uintptr_t)node->values - p->image->header->base));
	return is_in_image(p, node->values,
			   sizeof *values + values->count * sizeof values->value[0])
		       ? values
		       : NULL;
}

/* A column for few nodes: each entry begins with the distance from the node of the entry before. */
struct sparse { struct sis_bytes list; uint64_t before, count; };

static void put_distance(struct sparse *s, uint64_t here)
{
	sis__bytes_number(&s->list, here - s->before);
	s->before = here;
	s->count++;
}

static void put_sparse(struct sis_pack *p)
{
	struct sparse origin = { 0 }, metrics = { 0 };
	for (uint32_t c = 0; c < p->image->chunks; c++)
		for (uint64_t k = 0; k < p->image->chunk[c].count; k++) {
			const struct sis_node *node = &p->image->chunk[c].node[k];
			const struct sis_values *values = values_of(p, node);
			if (!values)
				continue;
			uint64_t here = p->image->chunk[c].first + k + 1,
				 from = sis__image_node(p->image, values->origin);
			if (from) {
				put_distance(&origin, here);
				sis__bytes_number(&origin.list, from);
			}
			if (!values->count)
				continue;
			put_distance(&metrics, here);
			sis__bytes_number(&metrics.list, values->set);
			sis__bytes_number(&metrics.list, values->count);
			for (uint32_t i = 0; i < values->count; i++)
				sis__bytes_number(&metrics.list, values->value[i].sum);
		}
	sis__pack_list(p, origin.count, &origin.list);
	put_column(p, put_calls);
	put_column(p, put_total);
	put_column(p, put_extremes);
	sis__pack_list(p, metrics.count, &metrics.list);
}

static void put_folds(struct sis_pack *p)
{
	struct sparse folds = { 0 };
	for (uint32_t c = 0; c < p->image->chunks; c++)
		for (uint64_t k = 0; k < p->image->chunk[c].count; k++)
			if (p->image->chunk[c].node[k].region & SIS_NODE_FOLDS)
				put_distance(&folds, p->image->chunk[c].first + k + 1);
	sis__pack_list(p, folds.count, &folds.list);
}

static void put_nodes(struct sis_pack *p)
{
	find_paths(p);
	if (p->failed)
		return;
	put_own_paths(p);
	sis__pack_number(p, p->image->chunks);
	for (uint32_t c = 0; c < p->image->chunks; c++) {
		sis__pack_number(p, p->image->chunk[c].slot);
		sis__pack_number(p, p->image->chunk[c].count);
	}
	put_path_column(p);
	put_parent_column(p);
	put_sparse(p);
	put_folds(p);
}

static void put_user_values(struct sis_pack *p)
{
	struct sis_bytes list = { 0 };
	uint64_t count = 0;
	for (const struct sis_chunk *chunk = NULL;
	     (chunk = next(p, chunk, SIS_CHUNK_USER_VALUES));) {
		const struct sis_user_value *value = (const void *)(chunk + 1);
		for (uint64_t i = 0; i < chunk->used / sizeof *value; i++, count++) {
			sis__bytes_number(&list, sis__image_node(p->image, value[i].node));
			sis__bytes_number(&list, value[i].id);
			sis__bytes_number(&list, value[i].count);
			sis__bytes_put(&list, &value[i].sum, 3 * sizeof value[i].sum);
		}
	}
	sis__pack_list(p, count, &list);
}

static void put_culprits(struct sis_pack *p)
{
	struct sis_bytes list = { 0 };
	uint64_t count = 0;
	for (const struct sis_chunk *chunk = NULL; (chunk = next(p, chunk, SIS_CHUNK_CULPRITS));) {
		const struct sis_culprit *culprit = (const void *)(chunk + 1),
					 *end = culprit + chunk->used / sizeof *culprit;
		for (; culprit < end; culprit++, count++) {
			const uint64_t what[] = { chunk->slot,
						  sis__image_node(p->image, culprit->node),
						  sis__image_node(p->image, culprit->culprit),
						  culprit->slot,
						  culprit->flags,
						  culprit->count,
						  culprit->ticks };
			for (size_t i = 0; i < sizeof what / sizeof *what; i++)
				sis__bytes_number(&list, what[i]);
		}
	}
	sis__pack_list(p, count, &list);
}

static void put_estimate(struct sis_pack *p, struct sis_bytes *list, const struct sis_estimate *e)
{
	sis__bytes_number(list, sis__image_node(p->image, e->node));
	sis__bytes_number(list, e->timed);
	sis__bytes_put(list, &e->ticks, sizeof e->ticks);
	sis__bytes_put(list, &e->ticks_squared, sizeof e->ticks_squared);
	sis__bytes_number(list, e->samples);
	sis__bytes_number(list, e->sampled);
	sis__bytes_put(list, &e->sampled_squared, sizeof e->sampled_squared);
	sis__bytes_number(list, e->rungs);
	for (int i = 0; i < SIS_RUNGS - 1; i++)
		sis__bytes_number(list, e->below[i]);
	sis__bytes_number(list, e->since);
	sis__bytes_number(list, e->rung);
}

static void put_estimates(struct sis_pack *p)
{
	struct sis_bytes list = { 0 };
	uint64_t count = 0;
	for (const struct sis_chunk *chunk = NULL;
	     (chunk = next(p, chunk, SIS_CHUNK_ESTIMATES));) {
		const struct sis_estimate *e = (const void *)(chunk + 1),
					  *end = e + chunk->used / sizeof *e;
		for (; e < end; e++, count++)
			put_estimate(p, &list, e);
	}
	sis__pack_list(p, count, &list);
}

static void put_switched(struct sis_pack *p)
{
	struct sis_bytes list = { 0 };
	uint64_t count = 0;
	for (const struct sis_chunk *chunk = NULL; (chunk = next(p, chunk, SIS_CHUNK_SWITCHED));) {
		const struct sis_switched *s = (const void *)(chunk + 1),
					  *end = s + chunk->used / sizeof *s;
		for (; s < end; s++, count++) {
			const uint64_t what[] = { s->what,  s->cause, s->id, s->count,
						  s->first, s->last,  s->on, s->ticks };
			for (size_t i = 0; i < sizeof what / sizeof *what; i++)
				sis__bytes_number(&list, what[i]);
		}
	}
	sis__pack_list(p, count, &list);
}

static void put_unscheduled(struct sis_pack *p)
{
	struct sis_bytes list = { 0 };
	uint64_t count = 0;
	const struct sis_chunk *chunk = NULL;
	while ((chunk = next(p, chunk, SIS_CHUNK_UNSCHEDULED))) {
		const struct sis_unscheduled *s = (const void *)(chunk + 1),
					  *end = s + chunk->used / sizeof *s;
		for (; s < end; s++) {
			const uint64_t what[] = { s->slot, sis__image_node(p->image, s->node),
						  s->flags, s->count, s->preempted_ns,
						  s->blocked_ns, s->lost };
			for (size_t i = 0; s->count && i < sizeof what / sizeof *what; i++)
				sis__bytes_number(&list, what[i]);
			count += s->count > 0;
		}
	}
	sis__pack_list(p, count, &list);
}

/* -- threads ----------------------------------------------------------------------------------- */

static void put_threads(struct sis_pack *p)
{
	struct sis_bytes list = { 0 };
	uint64_t count = 0;
	for (const struct sis_chunk *chunk = NULL; (chunk = next(p, chunk, SIS_CHUNK_THREAD));) {
		const struct sis_profile_thread *t = (const void *)(chunk + 1);
		if (chunk->used < sizeof *t)
			continue;
		const uint64_t what[] = { t->slot,
					  t->tid,
					  sis__image_node(p->image, t->root),
					  sis__image_node(p->image, t->current),
					  t->stamp,
					  t->mismatched,
					  t->unwound,
					  t->dropped_nodes,
					  t->dropped_records,
					  t->probes };
		for (size_t i = 0; i < sizeof what / sizeof *what; i++)
			sis__bytes_number(&list, what[i]);
		count++;
	}
	sis__pack_list(p, count, &list);
}

/* -- all of it --------------------------------------------------------------------------------- */

/* False for a kind of chunk that this code does not know: it must not get lost. SIS_CHUNK_POLLS is
 * not written, because a process that has ended polls nothing. */
static bool knows_all_kinds(const struct sis_image *image)
{
	for (uint32_t kind = SIS_CHUNK_UNSCHEDULED + 1; kind < SIS_CHUNK_UNSCHEDULED + 64; kind++)
		if (sis__image_next(image, NULL, kind))
			return false;
	return true;
}

static void put_all(struct sis_pack *p)
{
	put_header(p);
	put_units(p);
	put_nodes(p);
	put_user_values(p);
	put_culprits(p);
	put_estimates(p);
	put_switched(p);
	put_unscheduled(p);
	put_threads(p);
	sis__pack_records(p);
	sis__pack_sensors(p);
	sis__pack_comms(p);
	sis__pack_texts(p);
}

bool sis__unify_pack(const struct sis_image *image, struct sis_unify_defs *defs,
		     struct sis_bytes *out)
{
	struct sis_pack p = { .image = image, .defs = defs, .out = out };
	p.path = calloc(image->nodes + 1, sizeof *p.path);
	p.parent = calloc(image->nodes + 1, sizeof *p.parent);
	p.failed = !knows_all_kinds(image) || !sis__unify_ids_open(&p.ids, image, defs, false) ||
		   !p.path || !p.parent;
	if (!p.failed)
		put_all(&p);
	free(p.ids.range);
	free(p.path);
	free(p.parent);
	return !p.failed && !out->failed;
}
