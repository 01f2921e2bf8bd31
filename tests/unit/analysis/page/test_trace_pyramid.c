/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Levels of detail of activations, beside a naive reference that adds up each level anew from all
 * activations. The tiles are decoded as the page does. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/sort.h"
#include "page/view/trace_pyramid.h"

enum { UNIT = 3 };

/* -- tiles ------------------------------------------------------------------------------------- */

struct decoded { struct tile_item item; uint32_t level; enum tile_kind kind; };
typedef VEC(struct decoded) decoded_list;

struct bytes { const unsigned char *at, *end; };

/* Assertions are slow, so there is none for each number. */
static uint64_t take(struct bytes *b)
{
	uint64_t number = 0;
	for (unsigned shift = 0; b->at < b->end; shift += 7) {
		number |= (uint64_t)(*b->at & 127) << shift;
		if (*b->at++ < 128)
			return number;
	}
	ck_abort_msg("a tile is too short");
}

static size_t unpack(FILE *file, const struct tile *tile, unsigned char *to, size_t room)
{
	unsigned char *packed = malloc(tile_room(tile));
	z_stream z = { .next_out = to, .avail_out = (unsigned)room };
	ck_assert_uint_eq(fread(packed, 1, tile_room(tile), file), tile_room(tile));
	ck_assert_uint_eq(tile_checksum(packed, tile->bytes), tile->checksum);
	ck_assert_uint_eq(adler32(adler32(0, NULL, 0), packed, tile->bytes), tile->checksum);
	z.next_in = packed;
	z.avail_in = tile->bytes;
	ck_assert_int_eq(inflateInit2(&z, -MAX_WBITS), Z_OK);
	ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
	ck_assert_uint_eq(z.avail_in, 0);
	inflateEnd(&z);
	free(packed);
	return room - z.avail_out;
}

/* Reads depths and starts; the rest is column by column. */
static void take_starts(struct bytes *b, const struct tile *tile, struct decoded *item)
{
	static uint32_t depth[PYRAMID_LANES], count[PYRAMID_LANES];
	bool merged = tile->kind == TILE_MERGED;
	int64_t unit = merged ? pyramid_bucket_ns(tile->level) : 1, last_end;
	size_t lanes = take(b), n = 0;
	for (size_t i = 0; i < lanes; i++)
		depth[i] = (uint32_t)take(b), count[i] = (uint32_t)take(b);
	for (size_t i = 0; i < lanes; i++, last_end = 0)
		for (uint32_t k = 0; k < count[i]; k++)
			item[n++].item.depth = depth[i];
	ck_assert_uint_eq(n, tile->items);
	for (size_t i = 0; i < n; i++) /* durations are not known yet: they follow */
		item[i].item.start_ns = (int64_t)take(b);
	for (size_t i = 0; i < n; i++)
		item[i].item.ns = (int64_t)take(b);
	for (size_t i = 0; i < n; i++) {
		bool first = i == 0 || item[i].item.depth != item[i - 1].item.depth;
		last_end = first ? tile->from_ns / unit : last_end;
		int64_t start = last_end + item[i].item.start_ns;
		last_end = start + (merged ? 1 : item[i].item.ns);
		item[i].item.start_ns = start * unit;
	}
}

static void decode(decoded_list *list, FILE *file, const struct tile *tile)
{
	static unsigned char raw[1 << 20];
	size_t first = list->n;
	int64_t from = INT64_MAX, to = 0;
	struct bytes b = { raw, raw + unpack(file, tile, raw, sizeof raw) };
	ck_assert_uint_le(tile->items, TILE_ITEMS);
	for (uint32_t i = 0; i < tile->items; i++)
		*vec_push(list) = (struct decoded){ .level = tile->level, .kind = tile->kind };
	struct decoded *item = &list->at[first];
	take_starts(&b, tile, item);
	for (uint32_t i = 0; i < tile->items; i++)
		item[i].item.context = (uint32_t)take(&b);
	for (uint32_t i = 0; tile->kind == TILE_MERGED && i < tile->items; i++)
		item[i].item.activations = (uint32_t)take(&b);
	ck_assert_ptr_eq(b.at, b.end);
	for (uint32_t i = 0; i < tile->items; i++) {
		int64_t end = item[i].item.start_ns + (tile->kind == TILE_MERGED ?
			pyramid_bucket_ns(tile->level) : item[i].item.ns);
		from = item[i].item.start_ns < from ? item[i].item.start_ns : from;
		to = end > to ? end : to;
	}
	ck_assert_int_eq(tile->from_ns, from);
	ck_assert_int_eq(tile->to_ns, to);
	ck_assert_uint_eq(tile->unit, UNIT);
}

static decoded_list decode_all(struct tiles *tiles)
{
	decoded_list list = { 0 };
	ck_assert_int_eq(fseek(tiles->file, TILES_HEAD, SEEK_SET), 0);
	for (size_t i = 0; i < tiles->tile.n; i++)
		decode(&list, tiles->file, &tiles->tile.at[i]);
	ck_assert_int_eq(getc(tiles->file), EOF);
	return list;
}

/* -- a thread at random ------------------------------------------------------------------------ */

struct call { uint32_t depth, context; int64_t start, end; };
typedef VEC(struct call) call_list;

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(random_state >> 33) % n;
}

/* Often short, rarely long; also 0. */
static int64_t random_time(void) { return (int64_t)random_below(1u << random_below(18)); }

/* `contexts` of them; `busy`: of 10 steps, so many begin an activation. */
static void make_calls(struct pyramid *p, call_list *calls, size_t n, uint32_t deepest,
		       uint32_t contexts, uint32_t busy)
{
	VEC(struct call) open = { 0 };
	int64_t now = 1000 + random_time();
	while (calls->n < n || open.n) {
		now += random_time();
		if (calls->n + open.n < n && open.n < deepest && random_below(10) < busy) {
			struct call call = { (uint32_t)open.n, random_below(contexts), now, 0 };
			*vec_push(&open) = call;
			pyramid_enter(p, now, call.context);
		} else if (open.n) {
			open.at[open.n - 1].end = now;
			*vec_push(calls) = open.at[--open.n];
			pyramid_leave(p, now);
		}
	}
	vec_free(&open);
}

/* -- the reference ----------------------------------------------------------------------------- */

static uint32_t level_of(uint32_t top, int64_t ns)
{
	uint32_t level = 0;
	for (uint32_t k = 1; k <= top; k++)
		level = ns >= pyramid_bucket_ns(k) ? k : level;
	return level;
}

struct piece { uint32_t depth, context, begins; int64_t bucket, ns; };
typedef VEC(struct piece) piece_list;

static int by_bucket(const void *va, const void *vb)
{
	const struct piece *a = va, *b = vb;
	return ORDER(a->depth, b->depth) ?: ORDER(a->bucket, b->bucket) ?:
		ORDER(a->context, b->context);
}

/* The pieces of all activations of lower levels in the buckets of a level. */
static piece_list pieces_of(const call_list *calls, uint32_t top, uint32_t level)
{
	piece_list list = { 0 };
	int64_t length = pyramid_bucket_ns(level);
	for (size_t i = 0; i < calls->n; i++) {
		const struct call *c = &calls->at[i];
		if (level_of(top, c->end - c->start) >= level)
			continue;
		for (int64_t at = c->start, bucket = at / length; at == c->start || at < c->end;
		     bucket++) {
			int64_t end = (bucket + 1) * length < c->end ? (bucket + 1) * length :
								      c->end;
			*vec_push(&list) = (struct piece){ c->depth, c->context, at == c->start,
							   bucket, end - at };
			if (end == at)
				break;
			at = end;
		}
	}
	vec_sort(&list, by_bucket);
	return list;
}

static int by_place(const void *va, const void *vb)
{
	const struct decoded *a = va, *b = vb;
	return ORDER(a->kind, b->kind) ?: ORDER(a->level, b->level) ?:
		ORDER(a->item.depth, b->item.depth) ?:
		ORDER(a->item.start_ns, b->item.start_ns) ?: ORDER(a->item.ns, b->item.ns);
}

/* Of the pieces of a bucket, the sum of their time; *most: that of the context with most. */
static int64_t add_up(const struct piece *piece, size_t n, int64_t *most, uint32_t *begins,
		      uint32_t context, int64_t *of_context)
{
	int64_t sum = 0, one = 0;
	*most = *of_context = 0;
	*begins = 0;
	for (size_t i = 0; i < n; i++) {
		one = i && piece[i - 1].context == piece[i].context ? one + piece[i].ns :
								      piece[i].ns;
		*most = one > *most ? one : *most;
		*of_context += piece[i].context == context ? piece[i].ns : 0;
		*begins += piece[i].begins;
		sum += piece[i].ns;
	}
	return sum;
}

static void check_level(const decoded_list *list, const call_list *calls, uint32_t top,
			uint32_t level)
{
	piece_list pieces = pieces_of(calls, top, level);
	size_t at = 0;
	for (size_t i = 0; i < list->n; i++) {
		const struct tile_item *item = &list->at[i].item;
		size_t first = at;
		int64_t most, of_context;
		uint32_t begins;
		if (list->at[i].kind != TILE_MERGED || list->at[i].level != level)
			continue;
		while (at < pieces.n && pieces.at[at].depth == pieces.at[first].depth &&
		       pieces.at[at].bucket == pieces.at[first].bucket)
			at++;
		int64_t sum = add_up(&pieces.at[first], at - first, &most, &begins, item->context,
				     &of_context);
		if (first == at || item->depth != pieces.at[first].depth ||
		    item->start_ns != pieces.at[first].bucket * pyramid_bucket_ns(level) ||
		    item->ns != sum || item->activations != begins || of_context != most)
			ck_abort_msg("level %u has another item %zu", level, i);
	}
	ck_assert_uint_eq(at, pieces.n);
	vec_free(&pieces);
}

static int by_start(const void *va, const void *vb)
{
	const struct call *a = va, *b = vb;
	return ORDER(a->depth, b->depth) ?: ORDER(a->start, b->start) ?: ORDER(a->end, b->end);
}

static int of_activations(const void *va, const void *vb)
{
	const struct decoded *a = va, *b = vb;
	return ORDER(a->kind, b->kind) ?: ORDER(a->item.depth, b->item.depth) ?:
		ORDER(a->item.start_ns, b->item.start_ns) ?: ORDER(a->item.ns, b->item.ns);
}

/* Each activation is there once, in the level of its length. */
static void check_exact(decoded_list *list, call_list *calls, uint32_t top)
{
	vec_sort(list, of_activations);
	vec_sort(calls, by_start);
	for (size_t i = 0; i < calls->n; i++) {
		const struct call *c = &calls->at[i];
		const struct decoded *d = &list->at[i];
		if (d->kind != TILE_EXACT || d->item.depth != c->depth ||
		    d->item.start_ns != c->start || d->item.ns != c->end - c->start ||
		    d->level != level_of(top, c->end - c->start))
			ck_abort_msg("activation %zu is another", i);
	}
	ck_assert(list->n == calls->n || list->at[calls->n].kind == TILE_MERGED);
}

static void check(size_t n, uint32_t deepest, uint32_t contexts, uint32_t busy)
{
	struct tiles tiles;
	struct err err = { 0 };
	call_list calls = { 0 };
	char key[TILES_KEY + 1];
	uint32_t top = pyramid_top(1 << 24);
	random_state = n + deepest;
	ck_assert_int_eq(tiles_open(&tiles, &err), 0);
	struct pyramid *p = pyramid_new(&tiles, UNIT, top);
	make_calls(p, &calls, n, deepest, contexts, busy);
	ck_assert_uint_eq(pyramid_cut(p), 0);
	pyramid_finish(p);
	ck_assert_int_eq(tiles_finish(&tiles, key, &err), 0);
	decoded_list list = decode_all(&tiles);
	check_exact(&list, &calls, top);
	vec_sort(&list, by_place);
	for (uint32_t level = 1; level <= top; level++)
		check_level(&list, &calls, top, level);
	vec_free(&list), vec_free(&calls);
	tiles_release(&tiles);
}

/* -- tests ------------------------------------------------------------------------------------- */

START_TEST(each_level_is_what_a_naive_one_is)
{
	check(1, 1, 1, 5);
	check(100, 1, 2, 5);
	check(3000, 5, 4, 6);
	check(3000, 30, 8, 8);
}
END_TEST

START_TEST(many_activations_make_many_tiles) { check(100000, 12, 6, 6); }
END_TEST

START_TEST(levels_end_where_a_run_has_a_thousand_buckets)
{
	ck_assert_uint_eq(pyramid_top(0), 1);
	ck_assert_uint_eq(pyramid_top(1000000000), 6);
	ck_assert_int_le(pyramid_bucket_ns(6) * 1024, 1000000000);
	ck_assert_int_gt(pyramid_bucket_ns(7) * 1024, 1000000000);
	ck_assert_uint_lt(pyramid_top(INT64_MAX), PYRAMID_LEVELS);
}
END_TEST

/* tests/page/test_interval.ts decodes these bytes. */
START_TEST(pieces_are_written_as_the_page_reads_them)
{
	static const unsigned char wanted[] = { 2, 2, 0, 5, 10, 20, 0, 3, 2, 0, 0, 2, 4, 6, 3, 0,
						1 };
	static const struct tile_piece_wait wait[] = { { 3, 22 }, { 1, 21 } };
	static const struct tile_piece piece[] = {
		{ .from_ns = 100, .to_ns = 110, .all_ns = 1, .state = 2, .node = UINT32_MAX },
		{ .from_ns = 115, .to_ns = 135, .all_ns = 22, .node = 2, .waits = 2 },
	};
	unsigned char raw[64];
	struct tiles tiles;
	struct err err = { 0 };
	ck_assert_int_eq(tiles_open(&tiles, &err), 0);
	tiles_add_pieces(&tiles, UNIT, PIECES_OF_INITIAL, piece, 2, wait);
	tiles_add_pieces(&tiles, UNIT, PIECES_OF_UNIT, piece, 0, wait);
	ck_assert_uint_eq(tiles.tile.n, 1);
	ck_assert_int_eq(tiles.tile.at[0].from_ns, 100);
	ck_assert_int_eq(tiles.tile.at[0].to_ns, 135);
	ck_assert_uint_eq(tiles.tile.at[0].level, PIECES_OF_INITIAL);
	ck_assert_int_eq(fseek(tiles.file, TILES_HEAD, SEEK_SET), 0);
	ck_assert_uint_eq(unpack(tiles.file, &tiles.tile.at[0], raw, sizeof raw), sizeof wanted);
	ck_assert_mem_eq(raw, wanted, sizeof wanted);
	tiles_release(&tiles);
}
END_TEST

START_TEST(what_is_too_deep_is_counted)
{
	struct tiles tiles;
	struct err err = { 0 };
	ck_assert_int_eq(tiles_open(&tiles, &err), 0);
	struct pyramid *p = pyramid_new(&tiles, UNIT, 1);
	for (int i = 0; i < PYRAMID_LANES + 5; i++)
		pyramid_enter(p, i, 0);
	for (int i = 0; i < PYRAMID_LANES + 5; i++)
		pyramid_leave(p, 10000 + i);
	ck_assert_uint_eq(pyramid_lanes(p), PYRAMID_LANES);
	ck_assert_uint_eq(pyramid_cut(p), 5);
	pyramid_finish(p);
	tiles_release(&tiles);
}
END_TEST

START_TEST(tiles_with_other_contents_have_another_key)
{
	char key[2][TILES_KEY + 1];
	for (int i = 0; i < 2; i++) {
		struct tiles tiles;
		struct err err = { 0 };
		char head[TILES_HEAD + 1] = "", wanted[TILES_HEAD + 1];
		ck_assert_int_eq(tiles_open(&tiles, &err), 0);
		struct tile_link link = { LINK_MESSAGE, 0, 1, 10, 20, 100 + (uint64_t)i, 7 };
		tiles_add_links(&tiles, &link, 1);
		ck_assert_int_eq(tiles_finish(&tiles, key[i], &err), 0);
		rewind(tiles.file);
		ck_assert_uint_eq(fread(head, 1, TILES_HEAD, tiles.file), TILES_HEAD);
		snprintf(wanted, sizeof wanted, "SIS tiles 1 %-35s\n", key[i]);
		ck_assert_str_eq(head, wanted);
		tiles_release(&tiles);
	}
	ck_assert_str_ne(key[0], key[1]);
}
END_TEST

UNIT_MAIN("trace_pyramid", each_level_is_what_a_naive_one_is, many_activations_make_many_tiles,
	  levels_end_where_a_run_has_a_thousand_buckets, what_is_too_deep_is_counted,
	  pieces_are_written_as_the_page_reads_them, tiles_with_other_contents_have_another_key)
