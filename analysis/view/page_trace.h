/* SPDX-License-Identifier: BSD-3-Clause */
/* page_trace.h - the trace of an experiment as the page's view Time shows it: tiles of activations
 * in levels of detail, contexts of the call graph, and links between units.
 *
 * A small trace is in the page. Of a large one the page has the upper levels, and all tiles are in
 * a file of their own, which the user chooses when more detail is needed. */
#ifndef SIS_ANALYSIS_PAGE_TRACE_H
#define SIS_ANALYSIS_PAGE_TRACE_H

#include "base/json.h"
#include "repository/repository.h"
#include "view/page_column.h"
#include "view/trace_leaves.h"
#include "view/trace_operations.h"

/* An activation's node, and what is above it: what a tile says of an item. */
struct trace_context {
	int64_t node, parent;    /* drg_node.id of it and of the activation around it; 0: unknown */
	bool is_open;            /* the node is also open further up: the time is part of that */
	char *name;              /* of the region */
};

/* id: drg_node.id; parent: place of the node above in the list; NONE */
struct trace_node { int64_t id; uint32_t parent; };

/* While the trace of a unit was off, or not kept. */
struct trace_gap { uint32_t unit; int64_t from_ns, to_ns; };
/* id: of processing_unit; is_read: a trace has the unit */
struct trace_unit { int64_t id; uint32_t lanes; bool is_read; };

struct page_trace {
	bool exists;
	struct tiles tiles;
	char key[TILES_KEY + 1];
	VEC(struct trace_context) context;
	struct trace_leaves leaves;
	struct trace_operations operations;
	VEC(struct trace_node) node; /* all that are named, and those above; the root is first */
	VEC(struct trace_gap) gap;
	VEC(struct trace_unit) unit;
	uint64_t activations, links, cut; /* cut: too deep for a lane */
	uint32_t top;            /* level */
	uint32_t level;          /* the lowest one that is in the page; 0: all are */
	bool has_links, has_pieces, has_operations; /* in the page */
	bool lacks_operations;   /* too many rows: nor are they in the file */
	VEC(unsigned char) embedded; /* bytes of the tiles in the page */
	char *file;              /* name of the second file; NULL: there is none */
};

/* Reads the experiment's traces, if it has any. */
int page_trace_read(struct page_trace *trace, struct repo *repo, int64_t experiment,
		    struct err *err);
/* Chooses what is in the page: at most `room` bytes of it. May be called again with less room. */
int page_trace_fit(struct page_trace *trace, size_t room, struct err *err);
void page_trace_release(struct page_trace *trace);
/* Whether the page lacks tiles that a second file has. */
bool page_trace_needs_file(const struct page_trace *trace);
/* Writes all tiles. The caller checks errors of `out`. */
void page_trace_write_file(const struct page_trace *trace, FILE *out);

/* Whether the tile is in the page. */
bool page_trace_embeds(const struct page_trace *trace, const struct tile *tile);

/* Adds the embedded tiles as a block. Writes the member `trace` of the experiment. */
void page_trace_json(const struct page_trace *trace, struct page_blocks *blocks,
		     struct json *json);
/* Writes the tables of the trace. Rows of the page: `unit` by processing_unit.id, `node` by
 * drg_node.id. */
void page_trace_tables(const struct page_trace *trace, const struct map *unit,
		       const struct map *node, struct page_texts *texts,
		       struct page_blocks *blocks, struct json *json);

#endif
