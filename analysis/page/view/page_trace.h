/* SPDX-License-Identifier: BSD-3-Clause */
/* page_trace.h - the trace of an experiment as the page's view Time shows it: tiles of activations
 * in levels of detail, contexts of the call graph, and links between units.
 *
 * A small trace is completely in the page. Of a large trace, the page has only the upper levels.
 * All its tiles are in a second file, which the user opens in the page to see more detail. */
#ifndef SIS_ANALYSIS_PAGE_TRACE_H
#define SIS_ANALYSIS_PAGE_TRACE_H

#include "base/json.h"
#include "repository/database/repository.h"
#include "page/view/page_column.h"
#include "page/view/trace_leaves.h"
#include "page/view/trace_operations.h"

/* The context of an item in a tile: the node of the activation, and the node around it. */
struct trace_context {
	int64_t node, parent;    /* drg_node.id of both; 0: unknown */
	bool is_open;            /* an activation further up has the same node */
	char *name;              /* name of the region */
};

/* `id` is drg_node.id. `parent` is the index of the node above in the list, or NONE. */
struct trace_node { int64_t id; uint32_t parent; };

/* A time in which the trace of a unit was off, or its events were not kept. */
struct trace_gap { uint32_t unit; int64_t from_ns, to_ns; };
/* id: processing_unit.id; is_read: the unit was found in a trace */
struct trace_unit { int64_t id; uint32_t lanes; bool is_read; };

struct page_trace {
	bool exists;
	struct tiles tiles;
	char key[TILES_KEY + 1];
	VEC(struct trace_context) context;
	struct trace_leaves leaves;
	struct trace_operations operations;
	VEC(struct trace_node) node; /* those that tiles name, and all above; the root is first */
	VEC(struct trace_gap) gap;
	VEC(struct trace_unit) unit;
	uint64_t activations, links, cut; /* cut: activations that are too deep for a lane */
	uint32_t top;            /* the highest level */
	uint32_t level;          /* the lowest level that is in the page; 0: all levels are */
	bool has_links, has_pieces, has_operations; /* whether the page has these tiles */
	bool lacks_operations;   /* there are too many rows for page and file */
	VEC(unsigned char) embedded; /* bytes of the tiles in the page */
	char *file;              /* name of the second file; NULL if there is none */
};

/* Reads the experiment's traces, if it has any. */
int page_trace_read(struct page_trace *trace, struct repo *repo, int64_t experiment,
		    struct err *err);
/* Chooses the tiles that are in the page: at most `room` bytes. May be called again with less
 * room. */
int page_trace_fit(struct page_trace *trace, size_t room, struct err *err);
void page_trace_release(struct page_trace *trace);
/* Whether a second file is needed for tiles that the page lacks. */
bool page_trace_needs_file(const struct page_trace *trace);
/* Writes all tiles. The caller checks errors of `out`. */
void page_trace_write_file(const struct page_trace *trace, FILE *out);

/* Whether the tile is in the page. */
bool page_trace_embeds(const struct page_trace *trace, const struct tile *tile);

/* Adds the embedded tiles as a block. Writes the member `trace` of the experiment. */
void page_trace_json(const struct page_trace *trace, struct page_blocks *blocks,
		     struct json *json);
/* Writes the tables of the trace. The maps have rows of the page: `unit` by processing_unit.id,
 * `node` by drg_node.id. */
void page_trace_tables(const struct page_trace *trace, const struct map *unit,
		       const struct map *node, struct page_texts *texts,
		       struct page_blocks *blocks, struct json *json);

#endif
