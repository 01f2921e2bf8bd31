/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_tiles.c - encodes tiles, and compresses them into a file (trace_tiles.h). Owns a temporary
 * file and the items that are not in it yet. Called by one thread.
 *
 * Numbers of one kind are side by side, and they are small, because they are differences to the
 * number before. So deflate makes two to three bytes of an item. */
#include "page/view/trace_tiles.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compress.h"
#include "base/map.h"
#include "base/stream.h"

/* -- bytes ------------------------------------------------------------------------------------- */

static void put(struct tiles *t, uint64_t number)
{
	for (; number >= 128; number >>= 7)
		*vec_push(&t->raw) = (unsigned char)(number | 128);
	*vec_push(&t->raw) = (unsigned char)number;
}

static void put_signed(struct tiles *t, int64_t number)
{
	put(t, number < 0 ? ~((uint64_t)number << 1) : (uint64_t)number << 1);
}

uint32_t tile_checksum(const unsigned char *bytes, size_t n)
{
	enum { MODULUS = 65521, SAFE = 5552 }; /* SAFE: number of sums that fit into 32 bits */
	uint32_t a = 1, b = 0;
	for (size_t at = 0; at < n;) {
		size_t end = n - at < SAFE ? n : at + SAFE;
		for (; at < end; at++)
			b += a += bytes[at];
		a %= MODULUS;
		b %= MODULUS;
	}
	return b << 16 | a;
}

/* Compresses `raw`, writes it as the tile's bytes, and empties it. */
static void write_tile(struct tiles *t, struct tile tile)
{
	char *bytes = NULL;
	size_t n = 0;
	FILE *memory = open_memstream(&bytes, &n);
	if (!memory)
		return;
	struct compressor *c = compress_new(memory, COMPRESS_RAW);
	compress_write(c, t->raw.at, t->raw.n);
	compress_finish(c);
	fclose(memory);
	t->raw.n = 0;
	tile.bytes = (uint32_t)n;
	tile.checksum = tile_checksum((unsigned char *)bytes, n);
	*vec_push(&t->tile) = tile;
	fwrite(bytes, 1, n, t->file);
	fwrite("\0\0", 1, tile_room(&tile) - n, t->file);
	free(bytes);
}

/* -- items ------------------------------------------------------------------------------------- */

struct tile_stream {
	struct tiles *tiles;
	struct tile tile; /* in which the items will be */
	int64_t bucket_ns;
	size_t n;
	struct tile_item item[TILE_ITEMS];
};

struct tile_stream *tile_stream_new(struct tiles *tiles, uint32_t unit, uint32_t level,
				    enum tile_kind kind, int64_t bucket_ns)
{
	struct tile_stream *s = malloc(sizeof *s); /* malloc does not zero it: it is large */
	if (!s)
		s = mem_alloc(1, sizeof *s);
	s->tiles = tiles;
	s->tile = (struct tile){ .unit = unit, .level = level, .kind = kind };
	s->bucket_ns = bucket_ns;
	s->n = 0;
	return s;
}

/* Sets `order` to the indices of the items ordered by depth; items of one depth keep their order.
 * Sets count[d] to the number of items with depth d. */
static void order_by_depth(const struct tile_stream *s, uint32_t *order, uint32_t *count,
			   uint32_t depths)
{
	uint32_t *next = mem_alloc(depths, sizeof *next);
	for (size_t i = 0; i < s->n; i++)
		count[s->item[i].depth]++;
	for (uint32_t d = 1; d < depths; d++)
		next[d] = next[d - 1] + count[d - 1];
	for (size_t i = 0; i < s->n; i++)
		order[next[s->item[i].depth]++] = (uint32_t)i;
	free(next);
}

/* Writes the start or bucket of each item, as the difference to the end of the item before it in
 * its lane. */
static void put_starts(const struct tile_stream *s, const uint32_t *order)
{
	bool merged = s->tile.kind == TILE_MERGED;
	int64_t unit = merged ? s->bucket_ns : 1, end = 0;
	uint32_t depth = UINT32_MAX;
	for (size_t i = 0; i < s->n; i++) {
		const struct tile_item *item = &s->item[order[i]];
		int64_t start = item->start_ns / unit;
		if (item->depth != depth)
			end = s->tile.from_ns / unit;
		depth = item->depth;
		put(s->tiles, (uint64_t)(start - end));
		end = start + (merged ? 1 : item->ns);
	}
}

static void make_tile(struct tile_stream *s)
{
	struct tiles *t = s->tiles;
	uint32_t depths = 0, lanes = 0, *order = mem_alloc(s->n, sizeof *order);
	for (size_t i = 0; i < s->n; i++)
		depths = s->item[i].depth >= depths ? s->item[i].depth + 1 : depths;
	uint32_t *count = mem_alloc(depths, sizeof *count);
	order_by_depth(s, order, count, depths);
	for (uint32_t d = 0; d < depths; d++)
		lanes += count[d] > 0;
	put(t, lanes);
	for (uint32_t d = 0; d < depths; d++)
		if (count[d])
			put(t, d), put(t, count[d]);
	put_starts(s, order);
	for (size_t i = 0; i < s->n; i++)
		put(t, (uint64_t)s->item[order[i]].ns);
	for (size_t i = 0; i < s->n; i++)
		put(t, s->item[order[i]].context);
	for (size_t i = 0; s->tile.kind == TILE_MERGED && i < s->n; i++)
		put(t, s->item[order[i]].activations);
	s->tile.items = (uint32_t)s->n;
	write_tile(t, s->tile);
	s->n = 0;
	free(order), free(count);
}

void tile_stream_add(struct tile_stream *s, struct tile_item item)
{
	int64_t end = item.start_ns + (s->tile.kind == TILE_MERGED ? s->bucket_ns : item.ns);
	if (s->n == TILE_ITEMS)
		make_tile(s);
	if (s->n == 0 || item.start_ns < s->tile.from_ns)
		s->tile.from_ns = item.start_ns;
	if (s->n == 0 || end > s->tile.to_ns)
		s->tile.to_ns = end;
	s->item[s->n++] = item;
}

void tile_stream_finish(struct tile_stream *s)
{
	if (s->n)
		make_tile(s);
	free(s);
}

/* -- links ------------------------------------------------------------------------------------- */

void tiles_add_links(struct tiles *t, const struct tile_link *link, size_t n)
{
	struct tile tile = { .kind = TILE_LINKS, .items = (uint32_t)n, .from_ns = link[0].from_ns };
	int64_t last = tile.from_ns;
	put(t, n);
	for (size_t i = 0; i < n; i++)
		put(t, link[i].kind);
	for (size_t i = 0; i < n; i++)
		put(t, link[i].from);
	for (size_t i = 0; i < n; i++)
		put(t, link[i].to);
	for (size_t i = 0; i < n; last = link[i++].from_ns)
		put(t, (uint64_t)(link[i].from_ns - last));
	for (size_t i = 0; i < n; i++)
		put_signed(t, link[i].to_ns - link[i].from_ns);
	for (size_t i = 0; i < n; i++)
		put(t, link[i].bytes);
	for (size_t i = 0; i < n; i++)
		put(t, (uint64_t)((int64_t)link[i].tag + 1));
	for (size_t i = 0; i < n; i++) {
		tile.to_ns = link[i].from_ns > tile.to_ns ? link[i].from_ns : tile.to_ns;
		tile.to_ns = link[i].to_ns > tile.to_ns ? link[i].to_ns : tile.to_ns;
	}
	write_tile(t, tile);
}

/* -- pieces ------------------------------------------------------------------------------------ */

/* Makes one tile of at most TILE_ITEMS pieces. */
static void make_pieces(struct tiles *t, uint32_t unit, uint32_t of,
			const struct tile_piece *piece, size_t n,
			const struct tile_piece_wait *wait)
{
	struct tile tile = { .unit = unit, .level = of, .kind = TILE_PIECES, .items = (uint32_t)n,
			     .from_ns = piece[0].from_ns, .to_ns = piece[n - 1].to_ns };
	uint64_t waits = 0;
	int64_t end = tile.from_ns, row = 0;
	for (size_t i = 0; i < n; i++)
		waits += piece[i].waits;
	put(t, n), put(t, waits);
	for (size_t i = 0; i < n; end = piece[i++].to_ns)
		put(t, (uint64_t)(piece[i].from_ns - end));
	for (size_t i = 0; i < n; i++)
		put(t, (uint64_t)(piece[i].to_ns - piece[i].from_ns));
	for (size_t i = 0; i < n; i++)
		put(t, piece[i].node == UINT32_MAX ? 0 : (uint64_t)piece[i].node + 1);
	for (size_t i = 0; i < n; i++)
		put(t, (uint64_t)piece[i].state);
	for (size_t i = 0; i < n; i++)
		put(t, piece[i].waits);
	for (size_t i = 0; i < n; i++)
		if (piece[i].waits)
			put_signed(t, piece[i].all_ns - (piece[i].to_ns - piece[i].from_ns));
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < piece[i].waits; k++) {
			int64_t next = wait[piece[i].first_wait + k].row;
			put_signed(t, next - row);
			row = next;
		}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < piece[i].waits; k++)
			put_signed(t, wait[piece[i].first_wait + k].ns - piece[i].all_ns);
	write_tile(t, tile);
}

void tiles_add_pieces(struct tiles *t, uint32_t unit, uint32_t of, const struct tile_piece *piece,
		      size_t n, const struct tile_piece_wait *wait)
{
	for (size_t i = 0; i < n; i += TILE_ITEMS)
		make_pieces(t, unit, of, piece + i, n - i < TILE_ITEMS ? n - i : TILE_ITEMS, wait);
}

/* -- calls and waits --------------------------------------------------------------------------- */

/* Makes one tile of at most TILE_ITEMS events. */
static void make_events(struct tiles *t, enum tile_kind kind, const struct tile_event *event,
			size_t n)
{
	struct tile tile = { .kind = kind, .items = (uint32_t)n, .from_ns = event[0].from_ns };
	int64_t row = 0, last = tile.from_ns;
	put(t, n);
	for (size_t i = 0; i < n; row = event[i++].row)
		put_signed(t, (int64_t)event[i].row - row);
	for (size_t i = 0; i < n; i++)
		put(t, event[i].kind);
	for (size_t i = 0; i < n; last = event[i++].from_ns)
		put(t, (uint64_t)(event[i].from_ns - last));
	for (size_t i = 0; i < n; i++)
		put(t, (uint64_t)(event[i].to_ns - event[i].from_ns));
	for (size_t k = 0; k < EVENT_VALUES; k++)
		for (size_t i = 0; i < n; i++)
			put(t, event[i].value[k]);
	for (size_t i = 0; i < n; i++)
		tile.to_ns = event[i].to_ns > tile.to_ns ? event[i].to_ns : tile.to_ns;
	write_tile(t, tile);
}

void tiles_add_events(struct tiles *t, enum tile_kind kind, const struct tile_event *event,
		      size_t n)
{
	for (size_t i = 0; i < n; i += TILE_ITEMS)
		make_events(t, kind, event + i, n - i < TILE_ITEMS ? n - i : TILE_ITEMS);
}

/* -- the file ---------------------------------------------------------------------------------- */

static int put_head(struct tiles *t, const char *key)
{
	return fprintf(t->file, "SIS tiles 1 %-*s\n", TILES_HEAD - 13, key) == TILES_HEAD;
}

int tiles_open(struct tiles *t, struct err *err)
{
	*t = (struct tiles){ .file = tmpfile() };
	if (t->file && put_head(t, ""))
		return 0;
	return err_fail(err, "cannot make a temporary file for the trace: %s; make room on the "
			"disk of /tmp", strerror(t->file ? stream_failure(t->file) : errno));
}

int tiles_finish(struct tiles *t, char key[TILES_KEY + 1], struct err *err)
{
	uint64_t hash = t->tile.n;
	for (size_t i = 0; i < t->tile.n; i++)
		hash = map_hash(hash, (uint64_t)t->tile.at[i].checksum << 32 | t->tile.at[i].bytes);
	snprintf(key, TILES_KEY + 1, "%016" PRIx64, hash);
	rewind(t->file);
	put_head(t, key);
	int failure = stream_failure(t->file);
	return failure ? err_fail(err, "cannot write a temporary file for the trace: %s; make room "
				  "on the disk of /tmp", strerror(failure))
		       : 0;
}

void tiles_release(struct tiles *t)
{
	if (t->file)
		fclose(t->file);
	vec_free(&t->tile);
	vec_free(&t->raw);
	*t = (struct tiles){ 0 };
}
