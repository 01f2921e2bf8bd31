/* SPDX-License-Identifier: BSD-3-Clause */
/* export_tau.c - TAU's profiles: profile.NODE.CONTEXT.THREAD, one file for each processing unit.
 * Owns nothing; one thread.
 *
 *   12 templated_functions_MULTI_TIME                      number of lines of functions after the
 *                                                          next line
 *   # Name Calls Subrs Excl Incl ProfileCalls # <metadata>
 *   ".TAU application" 1 3 500 90000 0 GROUP="TAU_DEFAULT"  the whole run; microseconds
 *   "main [{prog.c} {3,1}-{9,1}]" 1 7 100 89000 0 GROUP=... each function by itself
 *   ".TAU application => main [{...}]" ...                  each stack
 *   0 aggregates
 *   0 userevents
 *
 * The root of the call graph is TAU's application. Its inclusive time is T_p, so the idle time of a
 * PU is in the application's exclusive time. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/escape.h"
#include "base/whole_file.h"
#include "answers/export/export.h"

static const char application[] = ".TAU application";

/* Escapes a name, and replaces characters that would end the name for a reader: a quote by an
 * apostrophe, a blank by `space`, because names of files must not have blanks. */
static char *clean(const char *text, char space)
{
	char *name = escape_text(text, SIS_ESCAPE_LINE);
	for (char *c = name; *c; c++)
		*c = *c == '"' ? '\'' : *c == ' ' || *c == '\t' ? space : *c;
	return name;
}

static char *function_name(const struct graph_region *r)
{
	char *name = clean(r->name, ' '), *file = clean(r->file, '_'), *text;
	if (r->line_start)
		text = mem_print("%s [{%s} {%" PRId64 ",%" PRId64 "}-{%" PRId64 ",%" PRId64 "}]",
				 name, file, r->line_start, r->column_start, r->line_end,
				 r->column_end);
	else
		text = mem_string(name);
	free(name), free(file);
	return text;
}

struct function { int64_t calls, subs, excl_ns, incl_ns; bool seen; };

struct writer {
	const struct call_graph *graph;
	FILE *out;
	char **name;              /* for each region */
	struct function *flat;    /* for each region, in the PU that is written */
	const struct graph_row *row; /* of the PU that is written */
	size_t rows;
};

static void put_function(const struct writer *w, const struct function *f, const char *group)
{
	fprintf(w->out, "\" %" PRId64 " %" PRId64 " %.16G %.16G 0 GROUP=\"%s\"\n", f->calls,
		f->subs, (double)f->excl_ns / 1e3, (double)f->incl_ns / 1e3, group);
}

static bool is_called(const struct writer *w, const struct graph_row *row)
{
	return row->cell->calls && w->graph->node.at[row->node].parent != GRAPH_NONE;
}

/* Adds up the PU's rows by region. In a recursion, only the outer activation's inclusive time
 * counts, because it includes the inner ones. */
static size_t sum_flat(struct writer *w)
{
	size_t functions = 0;
	memset(w->flat, 0, (w->graph->region.n + 1) * sizeof *w->flat);
	for (size_t i = 0; i < w->rows; i++) {
		const struct graph_node *node = &w->graph->node.at[w->row[i].node];
		const struct graph_cell *cell = w->row[i].cell;
		struct function *f = &w->flat[node->region];
		if (!is_called(w, &w->row[i]))
			continue;
		functions += !f->seen;
		f->seen = true;
		f->calls = clamp_add(f->calls, cell->calls);
		f->subs = clamp_add(f->subs, cell->subs);
		f->excl_ns = clamp_add(f->excl_ns, cell->excl_ns);
		f->incl_ns = clamp_add(f->incl_ns, node->nested ? 0 : cell->incl_ns);
	}
	return functions;
}

/* Writes whole microseconds, because readers expect integers in this line. */
static void put_application(const struct writer *w)
{
	int64_t inner_ns = 0, subs = 0;
	for (size_t i = 0; i < w->rows; i++)
		if (w->graph->node.at[w->row[i].node].parent == GRAPH_NONE)
			subs = w->row[i].cell->subs;
		else
			inner_ns = clamp_add(inner_ns, w->row[i].cell->excl_ns);
	int64_t incl_us = w->graph->t_p_ns / 1000;
	fprintf(w->out, "\"%s\" 1 %" PRId64 " %" PRId64 " %" PRId64 " 0 GROUP=\"TAU_DEFAULT\"\n",
		application, subs, incl_us - inner_ns / 1000, incl_us);
}

static void put_metadata(const struct call_graph *g, FILE *out)
{
	char *name = clean(g->experiment, ' ');
	for (char *c = name; *c; c++) /* <>& are markup; readers split lines at '#' */
		*c = strchr("<>&#", *c) ? '_' : *c;
	fprintf(out,
		"# Name Calls Subrs Excl Incl ProfileCalls # <metadata><attribute><name>Metric "
		"Name</name><value>TIME</value>"
		"</attribute><attribute><name>Experiment</name><value>%s</value></attribute>"
		"</metadata>\n",
		name);
	free(name);
}

static void put_pu(struct writer *w)
{
	size_t lines = 1 + sum_flat(w);
	for (size_t i = 0; i < w->rows; i++)
		lines += is_called(w, &w->row[i]);
	fprintf(w->out, "%zu templated_functions_MULTI_TIME\n", lines);
	put_metadata(w->graph, w->out);
	put_application(w);
	for (size_t r = 0; r < w->graph->region.n; r++)
		if (w->flat[r].seen) {
			fprintf(w->out, "\"%s", w->name[r]);
			put_function(w, &w->flat[r], "TAU_USER");
		}
	for (size_t i = 0; i < w->rows; i++) {
		const struct graph_cell *cell = w->row[i].cell;
		if (!is_called(w, &w->row[i]))
			continue;
		struct function f = { cell->calls, cell->subs, cell->excl_ns, cell->incl_ns, true };
		uint32_t node = w->row[i].node, depth = w->graph->node.at[node].depth;
		uint32_t *stack = mem_alloc(depth + 1, sizeof *stack);
		for (uint32_t k = depth; k > 0; k--, node = w->graph->node.at[node].parent)
			stack[k] = node;
		fprintf(w->out, "\"%s", application);
		for (uint32_t k = 1; k <= depth; k++)
			fprintf(w->out, " => %s", w->name[w->graph->node.at[stack[k]].region]);
		free(stack);
		put_function(w, &f, "TAU_USER|TAU_CALLPATH");
	}
	fputs("0 aggregates\n0 userevents\n", w->out);
}

static int write_pu(struct writer *w, const char *directory, uint32_t pu, struct err *err)
{
	const struct graph_pu *u = &w->graph->pu.at[pu];
	char *path = mem_print("%s/profile.%" PRId64 ".0.%" PRId64, directory, u->process,
			       u->thread);
	struct whole_file file;
	int rc = whole_file_open(&file, path, "-o", err);
	if (rc == 0) {
		w->out = file.out;
		put_pu(w);
		rc = whole_file_close(&file, "-o", 0, err);
	}
	free(path);
	return rc;
}

int export_tau(const struct export_job *job, struct err *err)
{
	const struct call_graph *g = &job->graph;
	struct graph_cursor cursor = { 0 };
	struct graph_row row;
	VEC(struct graph_row) rows = { 0 };
	struct writer w = { .graph = g, .name = mem_alloc(g->region.n + 1, sizeof *w.name),
			    .flat = mem_alloc(g->region.n + 1, sizeof *w.flat) };
	int rc = 0;
	for (size_t i = 0; i < g->region.n; i++)
		w.name[i] = function_name(&g->region.at[i]);
	bool more = call_graph_next(g, &cursor, &row);
	for (uint32_t pu = 0; rc == 0 && pu < g->pu.n; pu++) {
		rows.n = 0;
		for (; more && row.pu == pu; more = call_graph_next(g, &cursor, &row))
			*vec_push(&rows) = row;
		w.row = rows.at;
		w.rows = rows.n;
		rc = write_pu(&w, job->directory, pu, err);
	}
	for (size_t i = 0; i < g->region.n; i++)
		free(w.name[i]);
	free(w.name), free(w.flat);
	vec_free(&rows);
	return rc;
}
