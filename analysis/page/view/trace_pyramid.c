/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_pyramid.c - merges short activations into buckets (trace_pyramid.h). Owns the buckets of
 * one unit that are being filled. Called by one thread.
 *
 * Each lane has one open bucket of each level. When the lane gets an activation after the bucket's
 * end, the bucket becomes a merged item. Its contents are added to the bucket of the level above.
 * An activation is added to buckets of the level above its own; if it crosses the end of a bucket,
 * it is divided.
 *
 * LIMIT: a bucket keeps the times of a dozen contexts. If there are more contexts, those with the
 * least time may be forgotten. Then the wrong context may seem to have most of the time. The filled
 * time stays exact. */
#include "page/view/trace_pyramid.h"

#include <stdlib.h>

enum { PARTS = 12, SWEEP = 4096, FEWEST_BUCKETS = 1024 };

struct part { uint32_t context; int64_t ns; };
struct bucket {
	int64_t number;          /* its start is number times the length of a bucket */
	int64_t ns;              /* the time that is filled */
	uint32_t activations, parts; /* parts is 0 if the bucket is not open */
	struct part part[PARTS];
};
struct lane { struct bucket bucket[PYRAMID_LEVELS]; };
struct open { int64_t start_ns; uint32_t context; };

struct pyramid {
	struct tiles *tiles;
	uint32_t unit, top;
	VEC(struct open) open;
	VEC(struct lane *) lane;
	VEC(int64_t) next_end;   /* of each lane: the earliest end of an open bucket */
	struct tile_stream *exact[PYRAMID_LEVELS], *merged[PYRAMID_LEVELS]; /* NULL if empty */
	uint64_t cut;
	uint32_t since_sweep;
};

uint32_t pyramid_top(int64_t run_ns)
{
	uint32_t top = 1;
	while (top + 1 < PYRAMID_LEVELS && pyramid_bucket_ns(top + 1) * FEWEST_BUCKETS <= run_ns)
		top++;
	return top;
}

struct pyramid *pyramid_new(struct tiles *tiles, uint32_t unit, uint32_t top)
{
	struct pyramid *p = mem_alloc(1, sizeof *p);
	p->tiles = tiles;
	p->unit = unit;
	p->top = top;
	return p;
}

bool pyramid_has_open(const struct pyramid *p) { return p->open.n > 0; }

uint32_t pyramid_lanes(const struct pyramid *p) { return (uint32_t)p->lane.n; }

uint64_t pyramid_cut(const struct pyramid *p) { return p->cut; }

static void add_item(struct pyramid *p, struct tile_stream **stream, uint32_t level,
		     enum tile_kind kind, struct tile_item item)
{
	if (!*stream)
		*stream = tile_stream_new(p->tiles, p->unit, level, kind,
					  kind == TILE_MERGED ? pyramid_bucket_ns(level) : 0);
	tile_stream_add(*stream, item);
}

/* -- buckets ----------------------------------------------------------------------------------- */

static int64_t bucket_end(const struct bucket *b, uint32_t level)
{
	return (b->number + 1) * pyramid_bucket_ns(level);
}

static void add_part(struct bucket *b, uint32_t context, int64_t ns)
{
	uint32_t i = 0, least = 0;
	for (; i < b->parts && b->part[i].context != context; i++)
		least = b->part[i].ns < b->part[least].ns ? i : least;
	if (i == PARTS) {
		if (ns <= b->part[least].ns)
			return;
		i = least;
		b->part[i].ns = 0;
	} else if (i == b->parts) {
		b->part[b->parts++].ns = 0;
	}
	b->part[i].context = context;
	b->part[i].ns += ns;
}

static void close_bucket(struct pyramid *p, uint32_t depth, uint32_t level);

/* The open bucket with this number. If another bucket is open, closes that one first. */
static struct bucket *open_bucket(struct pyramid *p, uint32_t depth, uint32_t level,
				  int64_t number)
{
	struct bucket *b = &p->lane.at[depth]->bucket[level];
	if (b->parts && b->number != number)
		close_bucket(p, depth, level);
	if (!b->parts) {
		b->number = number;
		b->ns = 0;
		b->activations = 0;
		if (bucket_end(b, level) < p->next_end.at[depth])
			p->next_end.at[depth] = bucket_end(b, level);
	}
	return b;
}

/* Turns the bucket into an item, and adds its contents to the bucket of the level above. */
static void close_bucket(struct pyramid *p, uint32_t depth, uint32_t level)
{
	struct bucket *b = &p->lane.at[depth]->bucket[level];
	uint32_t most = 0; /* the part with most time: the item gets its context */
	for (uint32_t i = 1; i < b->parts; i++)
		if (b->part[i].ns > b->part[most].ns)
			most = i;
	struct tile_item item = {
		.start_ns = b->number * pyramid_bucket_ns(level),
		.ns = b->ns,
		.context = b->part[most].context,
		.activations = b->activations,
		.depth = depth,
	};
	add_item(p, &p->merged[level], level, TILE_MERGED, item);
	uint32_t parts = b->parts;
	b->parts = 0;
	if (level == p->top)
		return;
	struct bucket *above = open_bucket(p, depth, level + 1, b->number >> 2);
	for (uint32_t i = 0; i < parts; i++)
		add_part(above, b->part[i].context, b->part[i].ns);
	above->ns += b->ns;
	above->activations += b->activations;
}

/* Closes the buckets of a lane that end no later than `ns`, lower levels first. */
static void close_until(struct pyramid *p, uint32_t depth, int64_t ns)
{
	int64_t next = INT64_MAX;
	if (p->next_end.at[depth] > ns)
		return;
	for (uint32_t level = 1; level <= p->top; level++) {
		struct bucket *b = &p->lane.at[depth]->bucket[level];
		if (b->parts && bucket_end(b, level) <= ns)
			close_bucket(p, depth, level);
		if (b->parts && bucket_end(b, level) < next)
			next = bucket_end(b, level);
	}
	p->next_end.at[depth] = next;
}

/* -- activations ------------------------------------------------------------------------------- */

/* Adds an activation to the buckets of a level. */
static void merge(struct pyramid *p, uint32_t depth, uint32_t level, int64_t start, int64_t end,
		  uint32_t context)
{
	int64_t length = pyramid_bucket_ns(level), number = start / length;
	uint32_t activations = 1;
	do {
		int64_t bucket_start = number * length, bucket_end = bucket_start + length;
		int64_t from = start > bucket_start ? start : bucket_start,
			to = end < bucket_end ? end : bucket_end;
		close_until(p, depth, from);
		struct bucket *b = open_bucket(p, depth, level, number++);
		add_part(b, context, to - from);
		b->ns += to - from;
		b->activations += activations;
		activations = 0;
		start = to;
	} while (start < end);
}

void pyramid_enter(struct pyramid *p, int64_t ns, uint32_t context)
{
	*vec_push(&p->open) = (struct open){ ns, context };
}

void pyramid_leave(struct pyramid *p, int64_t ns)
{
	struct open open = p->open.at[--p->open.n];
	uint32_t depth = (uint32_t)p->open.n, level = 0;
	if (depth >= PYRAMID_LANES) {
		p->cut++;
		return;
	}
	while (depth >= p->lane.n) {
		*vec_push(&p->lane) = mem_alloc(1, sizeof(struct lane));
		*vec_push(&p->next_end) = INT64_MAX;
	}
	/* the highest level whose buckets are not longer than the activation */
	while (level < p->top && ns - open.start_ns >= pyramid_bucket_ns(level + 1))
		level++;
	struct tile_item item = { open.start_ns, ns - open.start_ns, open.context, 1, depth };
	add_item(p, &p->exact[level], level, TILE_EXACT, item);
	if (level < p->top)
		merge(p, depth, level + 1, open.start_ns, ns, open.context);
	if (++p->since_sweep < SWEEP)
		return;
	/* Lanes in which nothing happens keep old buckets open, so their tiles would span much time.
	 * In a lane with an open activation, everything before its start is complete. */
	p->since_sweep = 0;
	for (depth = 0; depth < p->lane.n; depth++)
		close_until(p, depth, depth < p->open.n ? p->open.at[depth].start_ns : ns);
}

void pyramid_finish(struct pyramid *p)
{
	for (uint32_t depth = 0; depth < p->lane.n; depth++) {
		for (uint32_t level = 1; level <= p->top; level++)
			if (p->lane.at[depth]->bucket[level].parts)
				close_bucket(p, depth, level);
		free(p->lane.at[depth]);
	}
	for (uint32_t level = 0; level <= p->top; level++) {
		if (p->exact[level])
			tile_stream_finish(p->exact[level]);
		if (p->merged[level])
			tile_stream_finish(p->merged[level]);
	}
	vec_free(&p->open);
	vec_free(&p->lane);
	vec_free(&p->next_end);
	free(p);
}
