/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_tiles.h - the tiles of a trace: the browser loads those that it draws, one by one.
 * analysis/page/web/data/tiles.ts reads them.
 *
 * A tile has items of one unit, level and kind, in the order in which they end. Each tile is a
 * deflate stream of its own. It begins at a multiple of three bytes, so that it can be cut out of
 * base64. The stream is a sequence of numbers with 7 bits in a byte, the lowest first. A set top
 * bit says that more bytes follow. Numbers marked z may be negative, and are written zigzag: 0, -1,
 * 1, -2 ... as 0, 1, 2, 3 ... The sequence consists of lists: a list has one number for each item,
 * and is complete before the next list begins. In lists of differences, the first difference is to
 * the begin of the tile, or for rows, to 0.
 *
 *     TILE_EXACT, TILE_MERGED (the items of a lane are side by side)
 *                    The number of lanes; for each lane its depth, and its number of items.
 *                    Lists: TILE_EXACT: start, less the end of the item before in the lane;
 *                    TILE_MERGED: number of the bucket, less that of the bucket after the item
 *                    before in the lane. Then duration, or filled time; context; and only with
 *                    TILE_MERGED, how many activations began.
 *
 *     TILE_LINKS     The number of items.
 *                    Lists: kind; from unit; to unit; start, less the start of the link before;
 *                    duration (z); bytes; tag + 1.
 *
 *     TILE_PIECES    The number of items; the number of waits of all items.
 *                    Lists: start, less the end of the item before; duration; node + 1; state;
 *                    number of waits; only for items with waits: all_ns, less the duration (z).
 *                    Lists of all waits: row, less the row of the wait before (z); ns, less the
 *                    all_ns of the item (z).
 *
 *     TILE_CALLS, TILE_WAITS
 *                    The number of items.
 *                    Lists: row, less the row of the item before (z); kind; start, less the start
 *                    of the item before; duration; one list for each value.
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

/* An activation. With TILE_MERGED, the merged activations of a bucket of a lane: `context` is the
 * one with most of their time, and `ns` is the time that they fill. Times are nanoseconds after the
 * begin of the run. */
struct tile_item { int64_t start_ns, ns; uint32_t context, activations, depth; };

enum link_kind { LINK_MESSAGE, LINK_COLLECTIVE, LINK_FORK };
struct tile_link {
	enum link_kind kind;
	uint32_t from, to; /* units */
	int64_t from_ns, to_ns;
	uint64_t bytes;
	int32_t tag;       /* -1: none */
};

/* The levels of tiles of pieces. PIECES_OF_UNIT: the pieces are those of a unit. PIECES_OF_INITIAL:
 * they say where the initial thread of a process was while any unit of the process was idle. */
enum { PIECES_OF_UNIT, PIECES_OF_INITIAL };

/* A wait that is part of a piece: of each `all_ns` nanoseconds of the piece, `ns` belong to the
 * wait. With PIECES_OF_UNIT, `row` is a row of table traced_wait. With PIECES_OF_INITIAL, the wait
 * does not belong to a unit yet, and `row` is node * TILE_LEAVES + leaf, where node is a row of
 * table traced_node. */
enum { TILE_LEAVES = 256 };
struct tile_piece_wait { uint32_t row; int64_t ns; };
/* A time in which a unit was in one state (experiment/causes/leaf_parts.h) and in the same single
 * waits, or in none. */
struct tile_piece {
	int64_t from_ns, to_ns, all_ns;
	int state;
	uint32_t node;     /* a row of table traced_node; UINT32_MAX: not known */
	size_t first_wait, waits;
};

/* A time that has values (trace_operations.h): a call that sent or received, or a wait. */
enum { EVENT_VALUES = 3 };
struct tile_event {
	uint32_t row;      /* the row of a table to which the values are added */
	uint32_t kind;     /* enum traffic_time_kind with TILE_CALLS; otherwise 0 */
	int64_t from_ns, to_ns;
	uint64_t value[EVENT_VALUES];
};

struct tile {
	uint32_t unit, level;
	enum tile_kind kind;
	int64_t from_ns, to_ns; /* the time that its items span */
	uint32_t items, bytes;
	uint32_t checksum;      /* Adler-32 of the compressed bytes */
};

struct tile_stream; /* items of a unit, level and kind that are not in a tile yet */

struct tiles {
	FILE *file;             /* temporary; tiles follow the head in the order of `tile` */
	VEC(struct tile) tile;
	VEC(unsigned char) raw; /* uncompressed bytes of the tile that is being made */
};

/* Makes the temporary file. */
int tiles_open(struct tiles *tiles, struct err *err);
/* To be called when all tiles have been added: writes the head of the file. Fails if the disk is
 * full. Sets `key` to TILES_KEY digits, which identify these tiles. */
int tiles_finish(struct tiles *tiles, char key[TILES_KEY + 1], struct err *err);
void tiles_release(struct tiles *tiles);
/* The bytes that a tile takes in the file. */
static inline size_t tile_room(const struct tile *tile)
{
	return (tile->bytes + TILE_ALIGN - 1) / TILE_ALIGN * TILE_ALIGN;
}

/* bucket_ns is used only with TILE_MERGED. */
struct tile_stream *tile_stream_new(struct tiles *tiles, uint32_t unit, uint32_t level,
				    enum tile_kind kind, int64_t bucket_ns);
void tile_stream_add(struct tile_stream *stream, struct tile_item item);
/* Makes a tile of the last items, and frees the stream. */
void tile_stream_finish(struct tile_stream *stream);

/* Makes a tile of at most TILE_ITEMS links, which must be ordered by `from_ns`. */
void tiles_add_links(struct tiles *tiles, const struct tile_link *link, size_t n);

/* Makes tiles of a unit's pieces, which must be ordered by time and not overlap. `of` is the
 * level. */
void tiles_add_pieces(struct tiles *tiles, uint32_t unit, uint32_t of,
		      const struct tile_piece *piece, size_t n,
		      const struct tile_piece_wait *wait);

/* Makes tiles of calls or waits of all units, which must be ordered by from_ns. */
void tiles_add_events(struct tiles *tiles, enum tile_kind kind, const struct tile_event *event,
		      size_t n);

uint32_t tile_checksum(const unsigned char *bytes, size_t n);

#endif
