/* SPDX-License-Identifier: BSD-3-Clause */
/* page_trace.c - makes tiles of the traces of an experiment (page_trace.h). Owns the temporary file
 * of tiles. Called by one thread.
 *
 * The traces are read once, unit by unit. So the memory has only the open activations of one unit,
 * the contexts and the links. Tiles are written to a temporary file. Those that the page contains
 * are read back from it. */
#include "page/view/page_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "answers/query/traced_leaves.h"
#include "answers/query/traced_run.h"
#include "experiment/timeline/activations.h"
#include "experiment/timeline/trace_names.h"
#include "page/view/trace_links.h"
#include "page/view/trace_pyramid.h"

enum {
	MOST_ITEMS = 10000000,  /* the most items of a page with all levels */
	UPPER_ITEMS = 2000000,  /* the most items of a page with only the upper levels */
	MOST_PIECES = 2000000,  /* if there are more pieces or events, they are only in the file */
	PIECES_PART = 4,        /* pieces, and then events, get at most a quarter of the room */
	ROWS_PART = 8,          /* rows of messages and waits are left out above an eighth of it */
	MOST_GAPS = 100000,     /* gaps after this many are not shown */
};

struct making {
	struct page_trace *to;
	struct traced_run run;
	struct map context;          /* (node and parent, region and is_open) -> its number */
	uint32_t *last;              /* by node: context of its last activation, or NONE */
	struct traced_nodes nodes;   /* the root is first */
	tile_links links;
	/* of the current process */
	const struct process *process;
	const struct trace *trace;
	struct trace_names names;
	bool has_names;              /* names are read when the first is needed */
	/* of the current unit */
	uint32_t unit;
	struct pyramid *pyramid;
	int64_t last_ns, gap_ns;     /* gap_ns: begin of the open gap; -1: no gap is open */
};

/* -- contexts ---------------------------------------------------------------------------------- */

static int64_t node_id(const struct making *m, uint32_t node)
{
	return node == NONE ? 0 : m->run.node.at[node];
}

/* Regions whose node is not known have contexts of their own in each process. */
static uint32_t add_context(struct making *m, const struct activation *a)
{
	bool fresh;
	uint64_t region = a->node == NONE ? (uint64_t)m->process->index << 34 |
						    (uint64_t)a->id << 2 : 0;
	uint64_t nodes = (uint64_t)a->node << 32 | a->parent;
	uint32_t number = map_put(&m->context, nodes, region | a->node_is_open,
				  (uint32_t)m->to->context.n, &fresh);
	if (!fresh)
		return number;
	char *name; /* of the region, from the repository or else from the trace */
	if (a->region != NONE) {
		name = mem_string(m->run.x.model.region.at[a->region].name);
	} else {
		if (!m->has_names)
			trace_names_read(&m->names, &m->run.x, m->trace);
		m->has_names = true;
		name = trace_names_region(&m->names, a->id);
	}
	*vec_push(&m->to->context) = (struct trace_context){
		node_id(m, a->node), node_id(m, a->parent), a->node_is_open, name
	};
	if (a->node != NONE)
		traced_nodes_put(&m->nodes, a->node);
	if (a->parent != NONE)
		traced_nodes_put(&m->nodes, a->parent);
	return number;
}

/* A node has few contexts, and its successive activations mostly have the same one. */
static uint32_t context_of(struct making *m, const struct activation *a)
{
	if (a->node == NONE)
		return add_context(m, a);
	uint32_t last = m->last[a->node];
	if (last != NONE && m->to->context.at[last].is_open == a->node_is_open &&
	    m->to->context.at[last].parent == node_id(m, a->parent))
		return last;
	return m->last[a->node] = add_context(m, a);
}

/* -- activations ------------------------------------------------------------------------------- */

static int64_t after_start(const struct making *m, int64_t ns)
{
	int64_t after = clamp_subtract(ns, m->run.x.model.start_ns);
	return after > 0 ? after : 0;
}

static void begin_process(void *self, const struct process *process, const struct trace *trace)
{
	struct making *m = self;
	m->process = process;
	m->trace = trace;
}

static void begin_unit(void *self, uint32_t pu)
{
	struct making *m = self;
	m->unit = pu;
	m->to->unit.at[pu].is_read = true;
	m->pyramid = pyramid_new(&m->to->tiles, pu, m->to->top);
	m->last_ns = after_start(m, m->process->start_ns);
	m->gap_ns = -1;
}

static int64_t pass(struct making *m, int64_t ns)
{
	int64_t after = after_start(m, ns);
	return m->last_ns = after > m->last_ns ? after : m->last_ns;
}

static void end_gap(struct making *m, int64_t from, int64_t to)
{
	m->gap_ns = -1;
	if (from < to && m->to->gap.n < MOST_GAPS)
		*vec_push(&m->to->gap) = (struct trace_gap){ m->unit, from, to };
}

static void enter(void *self, const struct activation *a, int64_t ns)
{
	struct making *m = self;
	pyramid_enter(m->pyramid, pass(m, ns), context_of(m, a));
	m->to->activations++;
}

static void leave(void *self, const struct activation *a, int64_t ns)
{
	struct making *m = self;
	(void)a;
	pyramid_leave(m->pyramid, pass(m, ns));
}

static void stop(void *self, int64_t ns)
{
	struct making *m = self;
	m->gap_ns = pass(m, ns);
}

/* If regions are already open when the stream begins, the trace was switched on late, and the time
 * before is a gap. */
static void resume(void *self, bool some_open, int64_t ns)
{
	struct making *m = self;
	int64_t last = m->last_ns, now = pass(m, ns);
	if (m->gap_ns >= 0)
		end_gap(m, m->gap_ns, now);
	else if (some_open && !pyramid_has_open(m->pyramid))
		end_gap(m, last, now);
}

static void end_unit(void *self)
{
	struct making *m = self;
	if (m->gap_ns >= 0)
		end_gap(m, m->gap_ns, after_start(m, m->process->end_ns));
	m->to->unit.at[m->unit].lanes = pyramid_lanes(m->pyramid);
	m->to->cut += pyramid_cut(m->pyramid);
	pyramid_finish(m->pyramid);
}

static void end_process(void *self, const team_parts *teams)
{
	struct making *m = self;
	trace_links_add_forks(&m->links, &m->run.x, m->process, teams);
	if (m->has_names)
		trace_names_release(&m->names);
	m->has_names = false;
}

static void read_traces(struct making *m)
{
	static const struct activation_reader reader = {
		.process = begin_process,
		.unit = begin_unit,
		.enter = enter,
		.leave = leave,
		.pause = stop,
		.resume = resume,
		.end_unit = end_unit,
		.end_process = end_process,
	};
	const struct experiment_model *model = &m->run.x.model;
	m->last = mem_alloc(model->node.n + 1, sizeof *m->last);
	memset(m->last, 0xff, (model->node.n + 1) * sizeof *m->last);
	vec_alloc(&m->to->unit, model->pu.n);
	for (size_t i = 0; i < model->pu.n; i++)
		m->to->unit.at[i].id = m->run.pu.at[i];
	traced_nodes_put(&m->nodes, model->root);
	traced_run_warn(&m->run, activations_read(&m->run.x, &m->run.traces, 0, -1, &reader, m));
	free(m->last);
	map_free(&m->context);
}

static void add_leaves_and_links(struct making *m)
{
	struct page_trace *to = m->to;
	struct traced_leaves sources;
	m->run.x.match.keeps_traffic_calls = true;
	traced_leaves_init(&sources, &m->run.x);
	trace_leaves_make(&to->leaves, &to->tiles, &m->nodes, &sources, &m->run.traces);
	trace_operations_make(&to->operations, &to->tiles, &m->nodes, &m->run.x, &sources,
			      &m->run.traces);
	trace_links_add_operations(&m->links, &m->run.x);
	trace_links_make_tiles(&m->links, &to->tiles);
	to->links = m->links.n;
	vec_free(&m->links);
	traced_leaves_release(&sources);
}

/* -- tiles that the page contains -------------------------------------------------------------- */

static size_t text_size(size_t bytes) { return bytes / TILE_ALIGN * 4; } /* as base64 */

/* Whether the tile does not belong to the picture. The page has either all tiles of such a kind or
 * none of them. */
static bool is_apart(const struct tile *tile)
{
	return tile->kind == TILE_PIECES || tile->kind == TILE_CALLS || tile->kind == TILE_WAITS;
}

/* Whether the tiles of this level and of the levels above are within the bounds. With level 0, the
 * tiles of links count, too. */
static bool fits(const struct page_trace *t, uint32_t level, uint64_t most_items, size_t room)
{
	uint64_t items = 0;
	size_t bytes = 0;
	for (size_t i = 0; i < t->tiles.tile.n; i++) {
		const struct tile *tile = &t->tiles.tile.at[i];
		if (is_apart(tile) ||
		    (tile->kind == TILE_LINKS ? level > 0 : tile->level < level))
			continue;
		items += tile->items;
		bytes += tile_room(tile);
	}
	return items <= most_items && text_size(bytes) <= room;
}

bool page_trace_embeds(const struct page_trace *t, const struct tile *tile)
{
	return tile->kind == TILE_LINKS ? t->has_links :
	       tile->kind == TILE_PIECES ? t->has_pieces :
	       is_apart(tile) ? t->has_operations :
				tile->level >= t->level;
}

/* Whether the page can have the tiles of both kinds. If so, subtracts their size from *room. */
static bool choose_apart(const struct page_trace *t, enum tile_kind a, enum tile_kind b,
			 size_t *room)
{
	uint64_t items = 0;
	size_t bytes = 0;
	for (size_t i = 0; i < t->tiles.tile.n; i++) {
		const struct tile *tile = &t->tiles.tile.at[i];
		if (tile->kind == a || tile->kind == b) {
			items += tile->items;
			bytes += tile_room(tile);
		}
	}
	if (items > MOST_PIECES || text_size(bytes) > *room / PIECES_PART)
		return false;
	*room -= text_size(bytes);
	return true;
}

/* Whether the page has room for the rows to which calls and waits belong. These rows cannot be in
 * the file. */
static bool rows_fit(const struct trace_operations *o, size_t room)
{
	enum { MESSAGE_BYTES = 24, PAIR_BYTES = 12, IDLE_BYTES = 8 }; /* upper bounds */
	return text_size(o->message.n * MESSAGE_BYTES + o->pair.n * PAIR_BYTES +
			 o->idle.n * IDLE_BYTES) <= room / ROWS_PART;
}

/* Reads back the tiles that the page contains. */
static int read_embedded(struct page_trace *t, struct err *err)
{
	long at = TILES_HEAD;
	t->embedded.n = 0;
	for (size_t i = 0; i < t->tiles.tile.n; i++) {
		size_t room = tile_room(&t->tiles.tile.at[i]);
		if (page_trace_embeds(t, &t->tiles.tile.at[i])) {
			for (size_t k = 0; k < room; k++)
				vec_push(&t->embedded);
			unsigned char *to = &t->embedded.at[t->embedded.n - room];
			if (fseek(t->tiles.file, at, SEEK_SET) != 0 ||
			    fread(to, 1, room, t->tiles.file) != room)
				return err_fail(err, "cannot read a temporary file: %s",
						strerror(errno));
		}
		at += (long)room;
	}
	return 0;
}

int page_trace_read(struct page_trace *t, struct repo *repo, int64_t experiment, struct err *err)
{
	struct making m = { .to = t };
	*t = (struct page_trace){ 0 };
	if (!traced_run_exists(repo, experiment))
		return 0;
	if (tiles_open(&t->tiles, err) ||
	    traced_run_open(&m.run, repo, experiment, "view", err))
		return ERR_FAILED;
	t->exists = true;
	t->top = pyramid_top(experiment_t_p(&m.run.x));
	read_traces(&m);
	add_leaves_and_links(&m);
	for (size_t i = 0; i < m.nodes.node.n; i++) { /* missing parents are added at the end */
		uint32_t node = m.nodes.node.at[i],
			 parent = node == NONE ? NONE : m.run.x.model.node.at[node].parent;
		*vec_push(&t->node) = (struct trace_node){
			node_id(&m, node),
			parent == NONE ? NONE : traced_nodes_put(&m.nodes, parent)
		};
	}
	traced_nodes_release(&m.nodes);
	traced_run_release(&m.run);
	return tiles_finish(&t->tiles, t->key, err);
}

int page_trace_fit(struct page_trace *t, size_t room, struct err *err)
{
	if (!t->exists)
		return 0;
	size_t rows = trace_leaves_size(&t->leaves);
	t->has_pieces = false;
	if (rows > room / PIECES_PART)
		trace_leaves_drop(&t->leaves);
	if (t->leaves.exists) {
		room -= rows;
		t->has_pieces = choose_apart(t, TILE_PIECES, TILE_PIECES, &room);
	}
	t->has_operations = false;
	t->lacks_operations = t->lacks_operations || !rows_fit(&t->operations, room);
	if (t->lacks_operations)
		trace_operations_release(&t->operations);
	else
		t->has_operations = choose_apart(t, TILE_CALLS, TILE_WAITS, &room);
	t->has_links = fits(t, 0, MOST_ITEMS, room);
	t->level = 0;
	if (!t->has_links)
		while (++t->level < t->top && !fits(t, t->level, UPPER_ITEMS, room))
			;
	return read_embedded(t, err);
}

void page_trace_release(struct page_trace *t)
{
	tiles_release(&t->tiles);
	for (size_t i = 0; i < t->context.n; i++)
		free(t->context.at[i].name);
	vec_free(&t->context), vec_free(&t->node), vec_free(&t->gap), vec_free(&t->unit);
	vec_free(&t->embedded);
	trace_leaves_release(&t->leaves);
	trace_operations_release(&t->operations);
	free(t->file);
	*t = (struct page_trace){ 0 };
}

bool page_trace_needs_file(const struct page_trace *t)
{
	return t->exists &&
		(t->level > 0 || !t->has_links || (t->leaves.exists && !t->has_pieces) ||
		 (!t->has_operations && !t->lacks_operations));
}

void page_trace_write_file(const struct page_trace *t, FILE *out)
{
	enum { STEP = 1 << 16 };
	char bytes[STEP];
	rewind(t->tiles.file);
	for (size_t n; (n = fread(bytes, 1, STEP, t->tiles.file)) > 0;)
		fwrite(bytes, 1, n, out);
}
