/* SPDX-License-Identifier: BSD-3-Clause */
/* top_json.c - writes a look as one JSON value. Times are seconds. Those of overheads and regions
 * are means of the processing units, as in `overhead --json`. Owns nothing. Called by one
 * thread. */
#include "live/top/top_json.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "base/json.h"
#include "live/top/rows.h"

static void time_or_null(struct json *json, const char *key, int64_t ns)
{
	json_key(json, key);
	json_time(json, ns);
}

/* Leaves are divided by p before they are summed, so that an overhead is exactly the sum of its
 * children. */
static void totals_json(struct json *json, const struct live_look *look)
{
	int64_t ns[SIS_OVERHEADS] = { 0 }, useful = 0, p = (int64_t)look->pu.n ?: 1;
	for (size_t i = 0; i < look->cell.n; i++)
		if (look->cell.at[i].leaf != O_NONE)
			ns[look->cell.at[i].leaf] = clamp_add(ns[look->cell.at[i].leaf],
							      look->cell.at[i].ns);
	for (int o = 1; o < SIS_OVERHEADS; o++)
		ns[o] = clamp_add(ns[o], p / 2) / p;
	for (int o = SIS_OVERHEADS - 1; o > 0; o--) /* children come after their parents */
		ns[sis_overhead_table[o].parent] =
			clamp_add(ns[sis_overhead_table[o].parent], ns[o]);
	for (size_t i = 0; i < look->pu.n; i++)
		useful = clamp_add(useful, look->pu.at[i].useful_ns);
	json_field_integer(json, "p", (int64_t)look->pu.n);
	json_field_seconds(json, "t_p", look->t_p_ns);
	json_field_seconds(json, "useful", clamp_add(useful, p / 2) / p);
	json_field_seconds(json, "identity_error", look->error_ns);
	json_field_open(json, "overheads", '{');
	for (int o = 1; o < SIS_OVERHEADS; o++)
		json_field_seconds(json, sis_overhead_table[o].name, ns[o]);
	json_close(json, '}');
}

/* Writes the shares of the wall time since the look before; null after the first look. */
static void now_json(struct json *json, const struct top_rows *rows, const struct top_times *now,
		     int64_t wall)
{
	json_key(json, "now");
	if (wall <= 0) {
		json_null(json);
		return;
	}
	json_open(json, '{');
	json_field_real(json, "useful", top_share(now->useful_ns, wall));
	json_field_real(json, "overhead", top_share(now->overhead_ns, wall));
	json_field_real(json, "calls_per_second",
			(double)(now->calls > 0 ? now->calls : 0) / ((double)rows->now_ns / 1e9));
	json_close(json, '}');
}

static void region_json(struct json *json, const struct live_run *run, const struct top_rows *rows,
			const struct top_row *row)
{
	const struct live_region *r = &run->names.region.at[row->id];
	int64_t p = rows->pus ?: 1;
	json_open(json, '{');
	json_field_string(json, "region", r->name);
	json_field_string(json, "type", sis_region_table[r->type].name);
	json_field_string(json, "file", r->file);
	json_field_integer(json, "line_start", r->line);
	json_field_integer(json, "calls", row->all.calls);
	json_field_seconds(json, "useful", row->all.useful_ns / p);
	json_field_seconds(json, "overhead", row->all.overhead_ns / p);
	json_field_string(json, "worst", row->worst ? sis_overhead_table[row->worst].name : NULL);
	now_json(json, rows, &row->now, rows->now_wall_ns);
	json_close(json, '}');
}

static void pu_json(struct json *json, const struct live_run *run, const struct top_rows *rows,
		    const struct top_row *row)
{
	enum { WHOLE_PATH = 64 };
	const struct live_pu *pu = &run->names.pu.at[row->id];
	char *path = live_names_path(&run->names, row->pu->node, WHOLE_PATH);
	json_open(json, '{');
	json_field_integer(json, "process", row->pu->process);
	json_field_integer(json, "thread", row->pu->slot);
	json_field_string(json, "host", pu->host);
	json_field_integer(json, "pid", pu->pid);
	json_field_string(json, "state",
			  !row->pu->runs ? "ended" : row->pu->idle ? "idle" : "runs");
	json_field_seconds(json, "useful", row->pu->useful_ns);
	json_field_seconds(json, "overhead", row->all.overhead_ns);
	json_field_seconds(json, "unmeasured", row->all.unmeasured_ns);
	json_field_string(json, "worst", row->worst ? sis_overhead_table[row->worst].name : NULL);
	time_or_null(json, "age", row->pu->age_ns);
	json_field_string(json, "path", row->pu->node == NONE ? NULL : path);
	time_or_null(json, "since", row->pu->since_ns);
	now_json(json, rows, &row->now, row->pu->runs ? rows->now_ns : 0);
	json_close(json, '}');
	free(path);
}

typedef void row_json_fn(struct json *json, const struct live_run *run, const struct top_rows *rows,
			 const struct top_row *row);

static void list_json(struct json *json, const char *key, const struct live_run *run,
		      enum top_view view, row_json_fn *row_json)
{
	struct top_rows rows;
	const struct top_choice everything = TOP_EVERYTHING;
	top_rows_make(&rows, run, view, &everything, view == TOP_PUS ? SORT_ORDER : SORT_OVERHEAD);
	json_field_open(json, key, '[');
	for (size_t i = 0; i < rows.row.n; i++)
		row_json(json, run, &rows, &rows.row.at[i]);
	json_close(json, ']');
	top_rows_release(&rows);
}

void top_json(const struct live_run *run, FILE *out)
{
	struct json json;
	const struct live_look *look = &run->now;
	json_init(&json, out);
	json_open(&json, '{');
	json_field_string(&json, "directory", run->directory);
	json_field_string(&json, "program", run->program);
	json_field_string(&json, "run_id", run->run_id);
	json_field_bool(&json, "running", run->state == LIVE_RUNS);
	json_field_integer(&json, "processes", look->processes);
	json_field_integer(&json, "processes_running", look->running);
	json_field_integer(&json, "hosts", look->hosts);
	json_field_integer(&json, "looks", (int64_t)run->looks);
	json_field_seconds(&json, "time", look->realtime_ns);
	json_field_seconds(&json, "cost", look->cost_ns);
	time_or_null(&json, "since_last_look",
		     run->looks > 1 ? look->t_p_ns - run->before.t_p_ns : -1);
	totals_json(&json, look);
	list_json(&json, "regions", run, TOP_REGIONS, region_json);
	list_json(&json, "processing_units", run, TOP_PUS, pu_json);
	json_close(&json, '}');
}
