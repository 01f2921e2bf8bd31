/* SPDX-License-Identifier: BSD-3-Clause */
/* page_index.c - writes the directory of a page's data, as analysis/page/web/data/index.ts
 * describes it. Owns nothing. Called by one thread. */
#include "answers/query/efficiency.h"
#include "base/now.h"
#include "page/view/page.h"
#include "page/view/page_tables.h"

/* -- meaning of the terms, the same in all pages ----------------------------------------------- */

static void kind_json(struct json *json, const char *name, const char *text, const char *unit)
{
	json_open(json, '{');
	json_field_string(json, "name", name);
	json_field_string(json, "text", text);
	if (unit)
		json_field_string(json, "unit", unit);
	json_close(json, '}');
}

static void overheads_json(struct json *json)
{
	bool has_children[SIS_OVERHEADS] = { false };
	for (int i = 1; i < SIS_OVERHEADS; i++)
		has_children[sis_overhead_table[i].parent] = true;
	json_field_open(json, "overheads", '[');
	for (int i = 1; i < SIS_OVERHEADS; i++) {
		json_open(json, '{');
		json_field_string(json, "name", sis_overhead_table[i].name);
		json_field_integer(json, "parent", (int)sis_overhead_table[i].parent - 1);
		json_field_bool(json, "is_leaf", !has_children[i]);
		json_field_bool(json, "is_of_run", sis_overhead_is(i, IS_OF_RUN));
		json_field_string(json, "text", sis_overhead_table[i].description);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void efficiency_kind_json(struct json *json, int depth, const char *key, const char *title,
				 const char *meaning)
{
	json_open(json, '{');
	json_field_string(json, "key", key);
	json_field_integer(json, "depth", depth);
	json_field_string(json, "title", title);
	json_field_string(json, "text", meaning);
	json_close(json, '}');
}

static void terms_json(struct json *json)
{
	static const char *const unit[] = {
		[SIS_UNIT_NS] = "ns",
		[SIS_UNIT_COUNT] = "count",
		[SIS_UNIT_BYTES] = "bytes",
		[SIS_UNIT_KIB] = "KiB",
	};
	json_field_open(json, "metrics", '[');
	for (int i = 1; i < SIS_METRICS; i++)
		kind_json(json, sis_metric_table[i].name, sis_metric_table[i].description,
			  unit[sis_metric_table[i].unit]);
	json_close(json, ']');
	json_field_open(json, "region_types", '[');
	for (int i = 1; i < SIS_REGION_TYPES; i++)
		kind_json(json, sis_region_table[i].name, sis_region_table[i].description, NULL);
	json_close(json, ']');
	json_field_open(json, "efficiencies", '[');
#define SIS_EFFICIENCY(name, depth, key, title, meaning) \
	efficiency_kind_json(json, depth, key, title, meaning);
#include "efficiencies.def"
#undef SIS_EFFICIENCY
	json_close(json, ']');
}

/* -- the contents of this page ----------------------------------------------------------------- */

static const struct column head_columns[] = {
	{ "id", NULL, CELL_INTEGER },	      { "name", NULL, CELL_TEXT },
	{ "program", NULL, CELL_TEXT },	      { "command", NULL, CELL_TEXT },
	{ "role", NULL, CELL_TEXT },	      { "p", NULL, CELL_INTEGER },
	{ "t_p_ns", NULL, CELL_INTEGER },     { "started_ns", NULL, CELL_INTEGER },
	{ "complete", NULL, CELL_BOOL },
};
static const char head[] =
	"SELECT id, name, program, command, role, p, t_p_ns, started_ns, complete "
	"FROM experiment "
	"WHERE id = ?1";

static void documents_json(struct json *json, const struct page_document *document, size_t n)
{
	json_field_open(json, "documents", '{');
	for (size_t i = 0; i < n; i++) {
		json_key(json, document[i].name);
		json_verbatim(json, document[i].json);
	}
	json_close(json, '}');
}

static int experiment_json(struct json *json, struct page_experiment *e, struct repo *repo,
			   struct page_blocks *blocks, struct err *err)
{
	struct table table;
	json_open(json, '{');
	table_init(&table, head_columns, sizeof head_columns / sizeof *head_columns);
	int rc = repo_fill(repo, &table, err, head, "i", e->source.experiment);
	for (size_t k = 0; table_rows(&table) && k < table.columns; k++) {
		json_key(json, head_columns[k].key);
		cell_json(json, table_cell(&table, 0, k));
	}
	table_release(&table);
	json_key(json, "tables");
	rc = rc ? rc : page_tables_add(&e->source, blocks, json, err);
	page_trace_json(&e->source.trace, blocks, json);
	documents_json(json, e->document.at, e->document.n);
	json_field_open(json, "left_out", '[');
	for (size_t i = 0; i < e->left_out.n; i++) {
		json_open(json, '{');
		json_field_string(json, "what", e->left_out.at[i].what);
		json_field_integer(json, "kept", e->left_out.at[i].kept);
		json_field_integer(json, "all", e->left_out.at[i].all);
		json_field_string(json, "rule", e->left_out.at[i].rule);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
	return rc;
}

int page_index_write(struct page *page, struct repo *repo, FILE *out, struct err *err)
{
	int rc = 0;
	struct json json;
	json_init(&json, out);
	json_open(&json, '{');
	json_field_integer(&json, "format", 1);
	json_field_string(&json, "version", SIS_VERSION);
	json_field_integer(&json, "written_ns", clock_now(CLOCK_REALTIME));
	const struct page_live *live = page->live;
	if (live) {
		json_field_open(&json, "live", '{');
		json_field_integer(&json, "look", (int64_t)live->look);
		json_field_integer(&json, "interval_ns", live->interval_ns);
		json_field_integer(&json, "cost_ns", live->cost_ns);
		json_field_string(&json, "state", live->state);
		json_field_integer(&json, "running", (int64_t)live->running);
		json_field_integer(&json, "processes", (int64_t)live->processes);
		json_close(&json, '}');
	}
	json_field_open(&json, "experiments", '[');
	for (size_t i = 0; rc == 0 && i < page->experiment.n; i++)
		rc = experiment_json(&json, &page->experiment.at[i], repo, &page->blocks, err);
	json_close(&json, ']');
	documents_json(&json, page->document.at, page->document.n);
	overheads_json(&json);
	terms_json(&json);
	json_close(&json, '}');
	return rc;
}
