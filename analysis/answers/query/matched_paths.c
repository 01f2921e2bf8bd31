/* SPDX-License-Identifier: BSD-3-Clause */
/* matched_paths.c - see matched_paths.h. Owns the paths; one thread.
 *
 * The first walk over both graphs finds the reduced path of each node: its path without new
 * functions. The walk also notes which reduced paths each run has, and which of these the run has
 * outside of new functions. From this, the second walk decides to which path the callees of new
 * functions belong. */
#include "answers/query/matched_paths.h"

#include <stdlib.h>
#include <string.h>

#include "answers/query/region_times.h"

enum role {
	ROLE_MATCHED, /* both runs have the region */
	ROLE_INSIDE,  /* the region's work counts for the path around it */
	ROLE_NEW,     /* the region is a function that only this version has */
	ROLE_TASK,    /* the region is the body of a task: its work counts for its function */
};
struct run {
	const struct call_graph *graph;
	enum role *role;   /* by region */
	int64_t *id;       /* by region: the same for both regions of a pair */
	size_t *function;  /* by region; of a task: the region of its function, or NO_REGION */
	/* by node: its path without new functions, and whether it is below a new function */
	uint32_t *reduced;
	bool *below_new;
	uint32_t main;     /* reduced path of main; NO_PATH: there is none */
};
/* By run: any: the run has a reduced path; direct: the run has it outside of new functions. */
struct presence { bool any[2], direct[2]; };
struct matching {
	struct run run[2];
	struct call_paths reduced;
	VEC(struct presence) has; /* by reduced path */
	struct matched_paths *out;
	uint32_t *final;   /* by reduced path: its path in *out, or NO_PATH */
};

/* -- regions ----------------------------------------------------------------------------------- */

/* Finds, for each region of b, the same region of a, or NO_REGION. The caller frees the list. */
static size_t *pair_regions(const struct call_graph *a, const struct call_graph *b)
{
	const struct call_graph *graph[2] = { a, b };
	struct region_times times[2] = { 0 };
	for (int i = 0; i < 2; i++)
		for (size_t r = 0; r < graph[i]->region.n; r++)
			*vec_push(&times[i].region) = (struct region_time){
				.key = graph[i]->region.at[r].key,
				.file = graph[i]->region.at[r].file
			};
	size_t *pair = region_times_pair(&times[0], &times[1]);
	vec_free(&times[0].region), vec_free(&times[1].region);
	return pair;
}

/* Whether only a parallel version can have regions of this type. Constructs of OpenMP that just
 * execute the statement behind them are no such regions. */
static bool is_parallel(const char *name)
{
	enum sis_region_type type = sis_region_by_name(name, strlen(name));
	if (sis_region_in(type, CR_OMP))
		return sis_region_table[type].leaf != O_NONE;
	return strncmp(name, "RT_", 3) == 0 || sis_region_in(type, CR_MPI) ||
	       type == CR_PTCREATE || type == CR_PTJOIN || type == CR_PTMUTEX || type == CR_PTCOND;
}

static bool is_function(const struct graph_region *region)
{
	return strcmp(region->type, "CR_F") == 0 || strcmp(region->type, "CR_P") == 0;
}

/* The checksum of a function, without the checksums of functions that it uses. The caller frees
 * it. */
static char *own_tokens(const struct graph_region *region)
{
	return mem_print("%.*s", (int)strcspn(region->tokens, "."), region->tokens);
}

static bool is_known(const struct strmap *texts, const char *checksum)
{
	return !checksum[0] || strmap_get(texts, checksum) != MAP_NONE;
}

static enum role role_of(const struct graph_region *region, const struct strmap *texts, bool paired)
{
	if (strcmp(region->type, "CR_OMPTASKBODY") == 0)
		return ROLE_TASK;
	if (paired && !is_parallel(region->type))
		return ROLE_MATCHED;
	char *tokens = own_tokens(region);
	bool is_new = is_function(region) && !is_known(texts, region->checksum) &&
		(!tokens[0] || !is_known(texts, tokens));
	free(tokens);
	return is_new ? ROLE_NEW : ROLE_INSIDE;
}

static void find_roles(struct run *run, const struct call_graph *other, const bool *paired)
{
	struct strmap texts = { 0 }; /* checksums of functions and files of the other version */
	for (size_t r = 0; r < other->region.n; r++) {
		if (other->region.at[r].checksum[0])
			strmap_put(&texts, other->region.at[r].checksum, 0, NULL);
		char *tokens = own_tokens(&other->region.at[r]);
		if (tokens[0])
			strmap_put(&texts, tokens, 0, NULL);
		free(tokens);
	}
	run->role = mem_alloc(run->graph->region.n + 1, sizeof *run->role);
	for (size_t r = 0; r < run->graph->region.n; r++)
		run->role[r] = role_of(&run->graph->region.at[r], &texts, paired[r]);
	strmap_free(&texts);
}

static void find_functions(struct run *run)
{
	struct strmap functions = { 0 };
	size_t n = run->graph->region.n;
	run->function = mem_alloc(n + 1, sizeof *run->function);
	for (int pass = 0; pass < 2; pass++)
		for (size_t r = 0; r < n; r++) {
			const struct graph_region *region = &run->graph->region.at[r];
			char *key = mem_print("%s:%s", region->file, region->function);
			uint32_t found = strmap_get(&functions, key);
			run->function[r] = found == MAP_NONE ? NO_REGION : found;
			if (pass == 0 && is_function(region))
				strmap_put(&functions, key, r, NULL);
			free(key);
		}
	strmap_free(&functions);
}

/* Gives each region an id: both regions of a pair have the number of the region in the first run.
 * Unpaired regions of the second run have numbers behind those. */
static void find_pairs(struct matching *m)
{
	const struct call_graph *first = m->run[0].graph, *second = m->run[1].graph;
	size_t *pair = pair_regions(first, second);
	bool *paired[2];
	for (int i = 0; i < 2; i++) {
		size_t n = m->run[i].graph->region.n;
		paired[i] = mem_alloc(n + 1, 1);
		m->run[i].id = mem_alloc(n + 1, sizeof *m->run[i].id);
		for (size_t r = 0; r < n; r++)
			m->run[i].id[r] = (int64_t)(r + (i ? first->region.n : 0));
	}
	for (size_t r = 0; r < second->region.n; r++)
		if (pair[r] != NO_REGION) {
			paired[1][r] = paired[0][pair[r]] = true;
			m->run[1].id[r] = (int64_t)pair[r];
		}
	find_roles(&m->run[0], second, paired[0]);
	find_roles(&m->run[1], first, paired[1]);
	find_functions(&m->run[0]);
	find_functions(&m->run[1]);
	free(pair), free(paired[0]), free(paired[1]);
}

/* -- paths without new functions --------------------------------------------------------------- */

static void note_path(struct matching *m, int run, uint32_t path, bool below_new)
{
	while (m->has.n <= path)
		vec_push(&m->has);
	m->has.at[path].any[run] = true;
	m->has.at[path].direct[run] |= !below_new;
}

/* The reduced path for which the body of a task counts. It is the path around the node in which the
 * task is executed, then the task's function. If that path already contains the function, it is cut
 * off behind the function, as in a recursion. */
static uint32_t reduced_task(struct matching *m, const struct run *run,
			     const struct graph_node *node)
{
	uint32_t around = run->reduced[node->parent];
	size_t function = run->function[node->region];
	if (function == NO_REGION || run->role[function] != ROLE_MATCHED)
		return around;
	if (around == 0 && run->main != NO_PATH)
		around = run->main;
	return call_paths_add(&m->reduced, around, run->id[function],
			      run->graph->region.at[function].name, 0);
}

static void reduce_node(struct matching *m, int number, uint32_t n)
{
	struct run *run = &m->run[number];
	const struct graph_node *node = &run->graph->node.at[n];
	const struct graph_region *region = &run->graph->region.at[node->region];
	if (node->parent == GRAPH_NONE) {
		run->reduced[n] = 0;
		return;
	}
	enum role role = run->role[node->region];
	run->below_new[n] = run->below_new[node->parent] || role == ROLE_NEW;
	run->reduced[n] = role == ROLE_TASK ? reduced_task(m, run, node) :
					     run->reduced[node->parent];
	if (role == ROLE_TASK && !run->below_new[n])
		note_path(m, number, run->reduced[n], false);
	if (role != ROLE_MATCHED)
		return;
	/* A function with which a thread begins is below the root. In the sequential program, main
	 * calls it. */
	uint32_t parent = run->reduced[node->parent];
	if (parent == 0 && run->main != NO_PATH && is_function(region))
		parent = run->main;
	run->reduced[n] = call_paths_add(&m->reduced, parent, run->id[node->region], region->name,
					 0);
	note_path(m, number, run->reduced[n], run->below_new[n]);
}

/* Finds main before any path is reduced, because functions of threads may come before main in the
 * order of nodes. */
static void find_main(struct matching *m, int number)
{
	struct run *run = &m->run[number];
	run->main = NO_PATH;
	for (uint32_t n = 0; n < run->graph->node.n; n++) {
		const struct graph_node *node = &run->graph->node.at[n];
		const struct graph_region *region = &run->graph->region.at[node->region];
		if (strcmp(region->type, "CR_P") == 0 && run->role[node->region] == ROLE_MATCHED) {
			run->main = call_paths_add(&m->reduced, 0, run->id[node->region],
						   region->name, 0);
			return;
		}
	}
}

static void reduce(struct matching *m)
{
	call_paths_add(&m->reduced, NO_PATH, -1, "run", 0);
	for (int i = 0; i < 2; i++) {
		struct run *run = &m->run[i];
		run->reduced = mem_alloc(run->graph->node.n + 1, sizeof *run->reduced);
		run->below_new = mem_alloc(run->graph->node.n + 1, sizeof *run->below_new);
		find_main(m, i);
		for (uint32_t n = 0; n < run->graph->node.n; n++)
			reduce_node(m, i, n);
	}
	while (m->has.n < m->reduced.path.n)
		vec_push(&m->has);
}

/* -- paths ------------------------------------------------------------------------------------- */

static uint32_t add_path(struct matching *m, uint32_t parent, int64_t id, const char *name)
{
	static const struct matched_path none = { { NO_MATCH, NO_MATCH }, { NO_MATCH, NO_MATCH } };
	uint32_t path = call_paths_add(&m->out->paths, parent, id, name, 0);
	if (path == m->out->match.n)
		*vec_push(&m->out->match) = none;
	return path;
}

/* Finds the path in *out for a reduced path. If it is not there yet, adds it and the paths above
 * that are not there, outermost first. */
static uint32_t final_path(struct matching *m, uint32_t reduced)
{
	VEC(uint32_t) way = { 0 };
	uint32_t at = reduced;
	for (; m->final[at] == NO_PATH; at = m->reduced.path.at[at].parent)
		*vec_push(&way) = at;
	uint32_t path = m->final[at];
	while (way.n) {
		const struct call_path *p = &m->reduced.path.at[way.at[--way.n]];
		path = m->final[way.at[way.n]] =
			add_path(m, path, p->region, m->reduced.name.at[p->name]);
	}
	vec_free(&way);
	return path;
}

static uint32_t path_of(struct matching *m, int number, uint32_t n)
{
	const struct run *run = &m->run[number];
	const struct graph_node *node = &run->graph->node.at[n];
	const struct graph_region *region = &run->graph->region.at[node->region];
	if (node->parent == GRAPH_NONE)
		return 0;
	uint32_t around = m->out->of_node[number][node->parent];
	enum role role = run->role[node->region];
	if (role == ROLE_INSIDE || (role == ROLE_TASK && run->below_new[n]))
		return around;
	bool is_direct = role != ROLE_NEW && !run->below_new[n];
	/* A node below a new function counts for the path without that function, if only the other
	 * run has this path outside of new functions. */
	const struct presence *has = &m->has.at[run->reduced[n]];
	bool is_passed_on = role == ROLE_MATCHED && has->any[!number] && !has->direct[number];
	if (is_direct || is_passed_on)
		return final_path(m, run->reduced[n]);
	return add_path(m, around, run->id[node->region], region->name);
}

static void find_paths(struct matching *m, int number)
{
	const struct run *run = &m->run[number];
	const struct call_graph *g = run->graph;
	uint32_t *of_node = m->out->of_node[number] = mem_alloc(g->node.n + 1, sizeof *of_node);
	for (uint32_t n = 0; n < g->node.n; n++) {
		of_node[n] = path_of(m, number, n);
		struct matched_path *match = &m->out->match.at[of_node[n]];
		bool is_end = n == 0 || m->out->paths.path.at[of_node[n]].region ==
			run->id[g->node.at[n].region];
		if (is_end && match->node[number] == NO_MATCH) {
			match->node[number] = n;
			match->region[number] = g->node.at[n].region;
		}
	}
}

void matched_paths_load(struct matched_paths *matched, const struct call_graph *first,
			const struct call_graph *second)
{
	struct matching m = { .run = { { .graph = first }, { .graph = second } }, .out = matched };
	*matched = (struct matched_paths){ 0 };
	find_pairs(&m);
	reduce(&m);
	m.final = mem_alloc(m.reduced.path.n, sizeof *m.final);
	for (uint32_t i = 0; i < m.reduced.path.n; i++)
		m.final[i] = NO_PATH;
	m.final[0] = add_path(&m, NO_PATH, -1, "run");
	find_paths(&m, 0);
	find_paths(&m, 1);
	for (int i = 0; i < 2; i++) {
		free(m.run[i].role), free(m.run[i].id), free(m.run[i].function);
		free(m.run[i].reduced), free(m.run[i].below_new);
	}
	call_paths_release(&m.reduced);
	vec_free(&m.has), free(m.final);
}

void matched_paths_release(struct matched_paths *matched)
{
	call_paths_release(&matched->paths);
	vec_free(&matched->match);
	free(matched->of_node[0]), free(matched->of_node[1]);
	*matched = (struct matched_paths){ 0 };
}

char *matched_path_text(const struct matched_paths *matched, uint32_t path, const char *separator)
{
	uint32_t length = matched->paths.path.at[path].length;
	return call_path_text(&matched->paths, path, length > 1 ? length - 1 : 1, separator);
}

bool matched_paths_ends(const struct matched_paths *matched, const struct call_graph *graph,
			int run, uint32_t node)
{
	const struct matched_path *match = &matched->match.at[matched->of_node[run][node]];
	return match->region[run] == graph->node.at[node].region;
}
