/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_tiles.h - the tiles that a trace is shown from: items in pieces that a browser loads one by
 * one. analysis/page/data/tiles.ts reads them.
 *
 * A tile has items of one unit, level and kind, in the order in which they end. Each is a deflate
 * stream of its own, and begins at a multiple of three bytes, so that a part of base64 is a tile.
 * Inside are variable-length numbers of 7 bits, the lowest first; a set top bit: more follow.
 *
 *     lanes; of each lane: depth, items
 *     then lane by lane, of all items
 *       TILE_EXACT   start, less the end of the item before it in its lane, or the tile's begin
 *       TILE_MERGED  bucket, less the bucket after the item before it, or that of the tile's begin
 *     then of all items: duration, or time that is filled; then contexts; then of TILE_MERGED:
 *     activations that began
 *
 *     TILE_LINKS     items; of all links: kind; then from unit; to unit; start, less that of the
 *                    link before it, or the tile's begin; duration, zigzag; bytes; tag, plus one
 *
 *     TILE_PIECES    items; waits of all of them; of all items: start, less the end of the item
 *                    before it, or the tile's begin; duration; node, plus one; state; waits; of
 *                    items with waits: all_ns less the duration, zigzag; of all waits, in the order
 *                    of the items: row, less that of the wait before it, zigzag; ns less the item's
 *                    all_ns, zigzag
 *
 *     TILE_CALLS, TILE_WAITS
 *                    items; of all items: row, less that of the item before it, zigzag; then kind;
 *                    start, less that of the item before it, or the tile's begin; duration; then
 *                    the values, one list after the other
 *
 * A file of tiles begins with a line of TILES_HEAD bytes: "SIS tiles 1 KEY", blanks, line feed. */
#ifndef SIS_ANALYSIS_TRACE_TILES_H
#define SIS_ANALYSIS_TRACE_TILES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"

enum { TILE_ITEMS = 16384, TILES_HEAD = 48, TILES_KEY = 16, TILE_ALIGN = 3 };

enum tile_kind { TILE_EXACT, TILE_MERGED, TILE_LINKS, TILE_PIECES, TILE_CALLS, TILE_WAITS };

/* an activation; or with TILE_MERGED, those in a bucket of a lane: what most of their time is, and
 * how much they fill. Times are nanoseconds after the begin of the run. */
struct tile_item { int64_t start_ns, ns; uint32_t context, activations, depth; };

enum link_kind { LINK_MESSAGE, LINK_COLLECTIVE, LINK_FORK };
struct tile_link {
	enum link_kind kind;
	uint32_t from, to; /* units */
	int64_t from_ns, to_ns;
	uint64_t bytes;
	int32_t tag;       /* -1: none */
};

/* Level of a tile of pieces: those of a unit; or where the initial thread of a process was while
 * other units were idle. */
enum { PIECES_OF_UNIT, PIECES_OF_INITIAL };

/* Of each `all_ns` nanoseconds of a piece, `ns` are this wait. With PIECES_OF_UNIT, `row` is a row
 * of table traced_wait. With PIECES_OF_INITIAL, the wait does not belong to a unit yet, and `row`
 * is node (a row of table traced_node) * TILE_LEAVES + leaf. */
enum { TILE_LEAVES = 256 };
struct tile_piece_wait { uint32_t row; int64_t ns; };
/* a time in which a unit was in one state (causes/leaf_parts.h), with single waits or none */
struct tile_piece {
	int64_t from_ns, to_ns, all_ns;
	int state;
	uint32_t node;     /* a row of table traced_node; UINT32_MAX: not known */
	size_t first_wait, waits;
};

/* A time that has values (view/trace_operations.h): a call that sent or received, or a wait. */
enum { EVENT_VALUES = 3 };
struct tile_event {
	uint32_t row;      /* of the table that the values are added to */
	uint32_t kind;     /* TILE_CALLS: enum traffic_time_kind; else 0 */
	int64_t from_ns, to_ns;
	uint64_t value[EVENT_VALUES];
};

struct tile {
	uint32_t unit, level;
	enum tile_kind kind;
	int64_t from_ns, to_ns; /* what its items span */
	uint32_t items, bytes;
	uint32_t checksum;      /* Adler-32 of the compressed bytes */
};

struct tile_stream; /* items of a unit, level and kind, of which no tile is made yet */

struct tiles {
	FILE *file;             /* temporary; tiles follow the head in the order of `tile` */
	VEC(struct tile) tile;
	VEC(unsigned char) raw; /* of the tile that is made */
};

/* Makes the temporary file. */
int tiles_open(struct tiles *tiles, struct err *err);
/* Writes the head, when all tiles are there: fails if the disk is full. `key` has TILES_KEY digits
 * and a zero; it differs for different tiles. */
int tiles_finish(struct tiles *tiles, char key[TILES_KEY + 1], struct err *err);
void tiles_release(struct tiles *tiles);
/* Room of a tile in the file. */
static inline size_t tile_room(const struct tile *tile)
{
	return (tile->bytes + TILE_ALIGN - 1) / TILE_ALIGN * TILE_ALIGN;
}

/* bucket_ns: of TILE_MERGED. */
struct tile_stream *tile_stream_new(struct tiles *tiles, uint32_t unit, uint32_t level,
				    enum tile_kind kind, int64_t bucket_ns);
void tile_stream_add(struct tile_stream *stream, struct tile_item item);
/* Makes a tile of the last items, and frees the stream. */
void tile_stream_finish(struct tile_stream *stream);

/* Links, which must be ordered by `from_ns`: at most TILE_ITEMS at once. */
void tiles_add_links(struct tiles *tiles, const struct tile_link *link, size_t n);

/* Pieces of a unit, ordered by time; no two at once. `of`: the level. */
void tiles_add_pieces(struct tiles *tiles, uint32_t unit, uint32_t of,
		      const struct tile_piece *piece, size_t n,
		      const struct tile_piece_wait *wait);

/* Calls or waits of all units, ordered by from_ns. */
void tiles_add_events(struct tiles *tiles, enum tile_kind kind, const struct tile_event *event,
		      size_t n);

uint32_t tile_checksum(const unsigned char *bytes, size_t n);

#endif
