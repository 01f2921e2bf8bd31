/* SPDX-License-Identifier: BSD-3-Clause */
/* page_trace_tables.c - writes the tables of a trace, and the entry of the page's directory that
 * says how its tiles are stored (page_trace.h). Owns one column at a time. Called by one thread. */
#include "page/view/page_trace.h"

#include <stdlib.h>

#include "page/view/page_leaf.h"

void page_trace_json(const struct page_trace *t, struct page_blocks *blocks, struct json *json)
{
	if (!t->exists)
		return;
	size_t block = page_blocks_add_compressed(blocks, t->embedded.at, t->embedded.n);
	json_field_open(json, "trace", '{');
	json_field_integer(json, "block", (int64_t)block);
	json_field_string(json, "file", t->file ? t->file : "");
	json_field_string(json, "key", t->key);
	json_field_integer(json, "top", t->top);
	json_field_integer(json, "level", t->level);
	json_field_bool(json, "has_links", t->has_links);
	json_field_string(json, "leaves", !t->leaves.exists ? "none" :
			  t->has_pieces ? "page" :
			  t->file ? "file" : "none");
	json_field_string(json, "operations", t->has_operations ? "page" :
			  t->file && !t->lacks_operations ? "file" : "none");
	json_field_integer(json, "activations", (int64_t)t->activations);
	json_field_integer(json, "links", (int64_t)t->links);
	json_field_integer(json, "cut", (int64_t)t->cut);
	json_close(json, '}');
}

/* A table that is being written, one column after the other. */
struct writing {
	struct page_texts *texts;
	struct page_blocks *blocks;
	struct json *json;
	int64_t *value;
	size_t rows;
};

static void open_table(struct writing *w, const char *name, size_t rows)
{
	w->rows = rows;
	w->value = mem_alloc(rows, sizeof *w->value);
	json_field_open(w->json, name, '{');
	json_field_integer(w->json, "rows", (int64_t)rows);
	json_field_open(w->json, "columns", '{');
}

static void close_table(struct writing *w)
{
	json_close(w->json, '}');
	json_close(w->json, '}');
	free(w->value);
}

/* Adds a column. `of` is an expression in `i`: the value of row i. */
#define COLUMN(w, name, type, of) \
	do { \
		for (size_t i = 0; i < (w)->rows; i++) \
			(w)->value[i] = (int64_t)(of); \
		json_key((w)->json, name); \
		page_column_add((w)->blocks, (w)->texts, type, (w)->value, (w)->rows, (w)->json); \
	} while (0)

static void add_leaf_tables(struct writing *w, const struct trace_leaves *l)
{
	const struct trace_time *time = l->time.at;
	const struct trace_share *share = l->share.at;
	const struct trace_wait *wait = l->wait.at;
	open_table(w, "traced_time", l->time.n);
	COLUMN(w, "unit", PAGE_U32, time[i].unit);
	COLUMN(w, "state", PAGE_U8, time[i].state);
	COLUMN(w, "node", PAGE_I32, time[i].node == NONE ? -1 : (int64_t)time[i].node);
	COLUMN(w, "ns", PAGE_F64, time[i].ns);
	close_table(w);
	open_table(w, "traced_share", l->share.n);
	COLUMN(w, "unit", PAGE_U32, share[i].unit);
	COLUMN(w, "state", PAGE_U8, share[i].state);
	COLUMN(w, "node", PAGE_I32, share[i].node);
	COLUMN(w, "leaf", PAGE_U8, page_leaf(share[i].leaf));
	COLUMN(w, "ns", PAGE_F64, share[i].ns);
	close_table(w);
	open_table(w, "traced_wait", l->wait.n);
	COLUMN(w, "unit", PAGE_U32, wait[i].unit);
	COLUMN(w, "state", PAGE_U8, wait[i].state);
	COLUMN(w, "node", PAGE_I32, wait[i].node);
	COLUMN(w, "leaf", PAGE_U8, page_leaf(wait[i].leaf));
	COLUMN(w, "ns", PAGE_F64, wait[i].ns);
	COLUMN(w, "booked_ns", PAGE_F64, wait[i].booked_ns);
	close_table(w);
}

static void add_operation_tables(struct writing *w, const struct trace_operations *o)
{
	const struct traced_message *message = o->message.at;
	const struct traced_pair *pair = o->pair.at;
	const struct traced_idle *idle = o->idle.at;
	open_table(w, "traced_message", o->message.n);
	COLUMN(w, "unit", PAGE_U32, message[i].unit);
	COLUMN(w, "node", PAGE_I32, message[i].node);
	COLUMN(w, "communicator", PAGE_F64, message[i].communicator);
	COLUMN(w, "target", PAGE_I32, message[i].target == NONE ? -1 : (int64_t)message[i].target);
	COLUMN(w, "calls", PAGE_F64, message[i].calls);
	COLUMN(w, "bytes", PAGE_F64, message[i].bytes);
	COLUMN(w, "ns", PAGE_F64, message[i].ns);
	COLUMN(w, "receive_ns", PAGE_F64, message[i].receive_ns);
	COLUMN(w, "estimated", PAGE_U8, message[i].estimated);
	COLUMN(w, "by_trace", PAGE_U8, message[i].basis.by_trace);
	COLUMN(w, "basis_calls", PAGE_F64, message[i].basis.calls);
	COLUMN(w, "basis_bytes", PAGE_F64, message[i].basis.bytes);
	COLUMN(w, "basis_ns", PAGE_F64, message[i].basis.ns);
	COLUMN(w, "basis_receive_ns", PAGE_F64, message[i].basis.receive_ns);
	close_table(w);
	open_table(w, "traced_pair", o->pair.n);
	COLUMN(w, "unit", PAGE_U32, pair[i].unit);
	COLUMN(w, "node", PAGE_I32, pair[i].node);
	COLUMN(w, "leaf", PAGE_U8, page_leaf(pair[i].leaf));
	COLUMN(w, "culprit", PAGE_U32, pair[i].culprit);
	COLUMN(w, "culprit_node", PAGE_I32, pair[i].culprit_node);
	COLUMN(w, "ns", PAGE_F64, pair[i].ns);
	COLUMN(w, "idle_ns", PAGE_F64, pair[i].idle_ns);
	close_table(w);
	open_table(w, "traced_idle", o->idle.n);
	COLUMN(w, "unit", PAGE_U32, idle[i].unit);
	COLUMN(w, "node", PAGE_I32, idle[i].node);
	COLUMN(w, "leaf", PAGE_U8, page_leaf(idle[i].leaf));
	COLUMN(w, "ns", PAGE_F64, idle[i].ns);
	close_table(w);
}

/* `node` has rows by drg_node.id. A left-out node has the row of the nearest node above. */
void page_trace_tables(const struct page_trace *t, const struct map *unit, const struct map *node,
		       struct page_texts *texts, struct page_blocks *blocks, struct json *json)
{
	struct writing *w = &(struct writing){ texts, blocks, json, NULL, 0 };
	const struct tile *tile = t->tiles.tile.at;
	const struct trace_context *context = t->context.at;
	const struct trace_node *at = t->node.at;
	const struct trace_gap *gap = t->gap.at;
	if (!t->exists)
		return;
	open_table(w, "tile", t->tiles.tile.n);
	COLUMN(w, "unit", PAGE_U32, tile[i].unit);
	COLUMN(w, "level", PAGE_U8, tile[i].level);
	COLUMN(w, "kind", PAGE_U8, tile[i].kind);
	COLUMN(w, "from_ns", PAGE_F64, tile[i].from_ns);
	COLUMN(w, "to_ns", PAGE_F64, tile[i].to_ns);
	COLUMN(w, "items", PAGE_U32, tile[i].items);
	COLUMN(w, "bytes", PAGE_U32, tile[i].bytes);
	COLUMN(w, "checksum", PAGE_U32, tile[i].checksum);
	COLUMN(w, "in_page", PAGE_U8, page_trace_embeds(t, &tile[i]));
	close_table(w);
	open_table(w, "context", t->context.n);
	COLUMN(w, "node_id", PAGE_F64, context[i].node);
	COLUMN(w, "parent_id", PAGE_F64, context[i].parent);
	COLUMN(w, "is_open", PAGE_U8, context[i].is_open);
	COLUMN(w, "name", PAGE_TEXT, page_texts_number(texts, context[i].name));
	close_table(w);
	open_table(w, "traced_node", t->node.n);
	COLUMN(w, "id", PAGE_F64, at[i].id);
	COLUMN(w, "parent", PAGE_I32, at[i].parent == NONE ? -1 : (int64_t)at[i].parent);
	COLUMN(w, "node", PAGE_I32, (int32_t)map_get(node, (uint64_t)at[i].id, 0));
	close_table(w);
	open_table(w, "trace_unit", t->unit.n);
	COLUMN(w, "unit", PAGE_I32, (int32_t)map_get(unit, (uint64_t)t->unit.at[i].id, 0));
	COLUMN(w, "lanes", PAGE_U32, t->unit.at[i].lanes);
	COLUMN(w, "is_read", PAGE_U8, t->unit.at[i].is_read);
	close_table(w);
	open_table(w, "gap", t->gap.n);
	COLUMN(w, "unit", PAGE_U32, gap[i].unit);
	COLUMN(w, "from_ns", PAGE_F64, gap[i].from_ns);
	COLUMN(w, "to_ns", PAGE_F64, gap[i].to_ns);
	close_table(w);
	add_leaf_tables(w, &t->leaves);
	add_operation_tables(w, &t->operations);
}
