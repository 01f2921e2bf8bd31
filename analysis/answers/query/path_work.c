/* SPDX-License-Identifier: BSD-3-Clause */
/* path_work.c - adds up the useful work of each path and processing unit (path_work.h). One thread.
 * Rows of the call graph are added up in a list sorted by path. A table of paths and processing
 * units would be too large if both are many. */
#include "answers/query/path_work.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "base/sort.h"

int work_load(struct work *w, struct repo *repo, int64_t experiment, struct err *err)
{
	*w = (struct work){ 0 };
	return call_graph_load(&w->graph, repo, experiment, GRAPH_PUS, -1, -1, err);
}

static int by_path(const void *va, const void *vb)
{
	const struct path_work *a = va, *b = vb;
	return ORDER(a->path, b->path) ?: ORDER(a->pu, b->pu);
}

/* The calls of a path are the calls of its last region. Calls of regions inside, whose work counts
 * for the path, are not added. */
static void load_paths(struct work *w, const struct matched_paths *matched, int run)
{
	struct graph_cursor cursor = { 0 };
	struct graph_row row;
	while (call_graph_next(&w->graph, &cursor, &row))
		*vec_push(&w->part) = (struct path_work){
			matched->of_node[run][row.node], row.pu, (double)graph_ns(&row, O_NONE),
			matched_paths_ends(matched, &w->graph, run, row.node) ? row.cell->calls : 0
		};
	/* After sorting, parts of one path and PU follow each other and are added up. */
	size_t n = 0, paths = matched->match.n;
	vec_sort(&w->part, by_path);
	for (size_t i = 0; i < w->part.n; i++) {
		struct path_work *last = n ? &w->part.at[n - 1] : NULL;
		if (last && by_path(last, &w->part.at[i]) == 0) {
			last->ns += w->part.at[i].ns;
			last->calls = clamp_add(last->calls, w->part.at[i].calls);
		} else {
			w->part.at[n++] = w->part.at[i];
		}
	}
	w->part.n = n;
	w->first = mem_alloc(paths + 1, sizeof *w->first);
	w->ns = mem_alloc(paths + 1, sizeof *w->ns);
	w->calls = mem_alloc(paths + 1, sizeof *w->calls);
	for (size_t path = 0, i = 0; path <= paths; path++) {
		w->first[path] = i;
		for (; i < w->part.n && w->part.at[i].path == path; i++) {
			w->ns[path] += w->part.at[i].ns;
			w->calls[path] = clamp_add(w->calls[path], w->part.at[i].calls);
		}
	}
}

void work_clear_paths(struct work *w)
{
	vec_free(&w->part);
	mem_free((void **)&w->first), mem_free((void **)&w->ns), mem_free((void **)&w->calls);
}

void work_release(struct work *w)
{
	work_clear_paths(w);
	call_graph_release(&w->graph);
}

void work_pair_load(struct work_pair *pair, struct work *from, struct work *to)
{
	*pair = (struct work_pair){ .from = from, .to = to };
	matched_paths_load(&pair->matched, &from->graph, &to->graph);
	load_paths(from, &pair->matched, 0);
	load_paths(to, &pair->matched, 1);
}

void work_pair_release(struct work_pair *pair)
{
	if (pair->from)
		work_clear_paths(pair->from), work_clear_paths(pair->to);
	matched_paths_release(&pair->matched);
}
