/* SPDX-License-Identifier: BSD-3-Clause */
/* export_csv.c - CSV: a line for each node and PU, with a column for each value. Owns nothing; one
 * thread. */
#include <inttypes.h>

#include "answers/export/export.h"

static void put_seconds(int64_t ns, FILE *out)
{
	char text[32];
	csv_number(seconds_text(text, ns), false, out);
}

static void put_integer(int64_t value, FILE *out)
{
	fprintf(out, ",%" PRId64, value);
}

/* A metric that was not measured in the node is an empty field; an overhead that did not arise is
 * 0. */
static void put_row(const struct call_graph *g, const struct graph_row *row, FILE *out)
{
	const struct graph_region *r = graph_region_of(g, row->node);
	const char *const text[] = { r->name, r->type, r->function, r->file };
	const struct graph_cell *cell = row->cell;
	for (size_t i = 0; i < 4; i++)
		csv_text(text[i], i == 0, out);
	put_integer(r->line_start, out), put_integer(r->line_end, out);
	csv_text(g->node.at[row->node].path, false, out);
	put_integer(g->pu.at[row->pu].process, out),
		put_integer(g->pu.at[row->pu].thread, out);
	put_integer(cell->calls, out), put_integer(cell->subs, out);
	put_seconds(cell->incl_ns, out), put_seconds(cell->excl_ns, out);
	put_seconds(graph_ns(row, O_NONE), out);
	if (cell->min_ns < 0)
		fputs(",,", out);
	else
		put_seconds(cell->min_ns, out), put_seconds(cell->max_ns, out);
	csv_text(cell->open ? "true" : "false", false, out);
	for (uint32_t m = 0; m < g->metric.n; m++) {
		const int64_t *value = graph_value(row, m);
		if (!value)
			putc(',', out);
		else if (g->metric.at[m].is_time)
			put_seconds(*value, out);
		else
			put_integer(*value, out);
	}
	for (int o = 1; o < SIS_OVERHEADS; o++)
		if (g->has_leaf[o])
			put_seconds(graph_ns(row, o), out);
	putc('\n', out);
}

int export_csv(const struct export_job *job, struct err *err)
{
	const struct call_graph *g = &job->graph;
	struct graph_cursor cursor = { 0 };
	struct graph_row row;
	(void)err;
	fputs("region,type,unit,file,line_start,line_end,path,process,thread,calls,subs,"
	      "wtime_incl,wtime_excl,useful,mint,maxt,open",
	      job->out);
	for (size_t m = 0; m < g->metric.n; m++)
		csv_text(g->metric.at[m].name, false, job->out);
	for (int o = 1; o < SIS_OVERHEADS; o++)
		if (g->has_leaf[o])
			csv_text(sis_overhead_table[o].name, false, job->out);
	putc('\n', job->out);
	while (call_graph_next(g, &cursor, &row))
		put_row(g, &row, job->out);
	return 0;
}
