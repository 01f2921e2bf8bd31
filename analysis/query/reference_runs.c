/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_runs.c - explains how an experiment's useful work differs from that of a sequential
 * run. Owns the parts; one thread.
 *
 *   useful(p PUs) - useful(seq)
 *     =  useful(par1) - useful(seq)         the parallel version does more on one PU: OADD_COMP
 *                                           where the text is the same, else OADD_ALGO
 *     +  useful(p PUs) - useful(par1)     p PUs do more than one: OLOSS_REPL where each does
 *                                           what one alone did, else unidentified
 *
 * Regions of two runs are paired by their keys. Work in a region that only one run has counts for
 * the nearest paired region around it (a loop that is a region only with -fopenmp counts for its
 * function). So the useful work of both runs is divided among the same regions, and the differences
 * add up exactly. Without par1 only the second line is known, relative to seq. */
#include "query/reference_runs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/map.h"
#include "base/sort.h"
#include "query/call_graph.h"
#include "query/region_times.h"
#include "repository/pu_leaves.h"
#include "repository/stored_check.h"

struct work { /* an experiment's useful work, by region */
	struct call_graph graph;
	bool *anchored; /* for each region: its work is not counted for a region around it */
	/* for each region: sums over the PUs of the work of each, and of its square */
	double *sum, *squares;
};

/* -- pairing ----------------------------------------------------------------------------------- */

/* For each region of b the region of a, or NO_REGION. The caller frees it. */
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

static void add_texts(struct strmap *texts, const struct call_graph *g)
{
	for (size_t r = 0; r < g->region.n; r++)
		if (g->region.at[r].checksum[0])
			strmap_put(texts, g->region.at[r].checksum, 0, NULL);
}

/* Marks regions that are paired, and those that are new together with the text around them. */
static void anchor(struct work *w, const struct call_graph *other, const bool *paired)
{
	struct strmap texts = { 0 };
	add_texts(&texts, other);
	w->anchored = mem_alloc(w->graph.region.n + 1, sizeof *w->anchored);
	for (size_t r = 0; r < w->graph.region.n; r++) {
		const char *checksum = w->graph.region.at[r].checksum;
		w->anchored[r] = paired[r] ||
			(checksum[0] && strmap_get(&texts, checksum) == MAP_NONE);
	}
	strmap_free(&texts);
}

/* The region that work in each node counts for. */
static uint32_t *groups(const struct work *w)
{
	uint32_t *group = mem_alloc(w->graph.node.n + 1, sizeof *group);
	for (uint32_t n = 0; n < w->graph.node.n; n++) {
		const struct graph_node *node = &w->graph.node.at[n];
		group[n] = w->anchored[node->region] || node->parent == GRAPH_NONE ?
			node->region :
			group[node->parent];
	}
	return group;
}

static void sum_work(struct work *w)
{
	const struct call_graph *g = &w->graph;
	uint32_t *group = groups(w);
	double *of_pu = mem_alloc(g->region.n + 1, sizeof *of_pu);
	w->sum = mem_alloc(g->region.n + 1, sizeof *w->sum);
	w->squares = mem_alloc(g->region.n + 1, sizeof *w->squares);
	for (size_t p = 0; p < g->part.n; p++) {
		if (g->part.at[p].at.what == O_NONE)
			of_pu[group[g->part.at[p].at.node]] += (double)g->part.at[p].ns;
		if (p + 1 < g->part.n && g->part.at[p + 1].at.pu == g->part.at[p].at.pu)
			continue;
		for (size_t r = 0; r < g->region.n; r++) {
			w->sum[r] += of_pu[r];
			w->squares[r] += of_pu[r] * of_pu[r];
			of_pu[r] = 0;
		}
	}
	free(of_pu);
	free(group);
}

/* The pairs of regions of two runs, and the work in each region. */
static size_t *compare(struct work *from, struct work *to)
{
	size_t *pair = pair_regions(&from->graph, &to->graph);
	bool *paired_from = mem_alloc(from->graph.region.n + 1, 1),
	     *paired_to = mem_alloc(to->graph.region.n + 1, 1);
	for (size_t r = 0; r < to->graph.region.n; r++) {
		if (pair[r] == NO_REGION)
			continue;
		paired_to[r] = paired_from[pair[r]] = true;
	}
	anchor(from, &to->graph, paired_from);
	anchor(to, &from->graph, paired_to);
	free(paired_from), free(paired_to);
	sum_work(from);
	sum_work(to);
	return pair;
}

static void release_sums(struct work *w)
{
	mem_free((void **)&w->anchored), mem_free((void **)&w->sum), mem_free((void **)&w->squares);
}

static void release_work(struct work *w)
{
	release_sums(w);
	call_graph_release(&w->graph);
}

/* -- parts ------------------------------------------------------------------------------------- */

static void add_part(struct references *r, const struct graph_region *region, int64_t id,
		     enum sis_overhead leaf, double ns, char *rule)
{
	if (ns < 0.5 && ns > -0.5) {
		free(rule);
		return;
	}
	*vec_push(&r->part) = (struct reference_part){
		.region = id, .name = mem_string(region->name), .leaf = leaf, .ns = clamp_round(ns),
		.file = mem_string(region->file), .line = region->line_start, .rule = rule };
}

/* For each of n regions the region that it is paired with. The caller frees it. */
static size_t *inverse(const size_t *pair, size_t pairs, size_t n)
{
	size_t *back = mem_alloc(n + 1, sizeof *back);
	for (size_t i = 0; i < n; i++)
		back[i] = NO_REGION;
	for (size_t i = 0; i < pairs; i++)
		if (pair[i] != NO_REGION)
			back[pair[i]] = i;
	return back;
}

/* Whether the work of each PU is that of one alone, or nearer to it than to one PU's part of it. */
static void add_growth(struct references *r, const struct work *one, const struct work *all,
		       const size_t *pair)
{
	for (size_t i = 0; i < all->graph.region.n; i++) {
		double sum = all->sum[i], alone = pair[i] == NO_REGION ? 0 : one->sum[pair[i]];
		if (sum <= 0 && alone <= 0)
			continue;
		double k = all->squares[i] > 0 ? sum * sum / all->squares[i] : 1;
		double ratio = alone > 0 ? sum / k / alone : 0;
		bool replicated = k >= 1.5 && ratio >= (1 + 1 / k) / 2 && sum > alone;
		char *rule = mem_print("%.1f processing units work %.6f s each, one alone %.6f s: "
				       "r = %.2f (1 replicated, %.2f divided)", k, sum / k / 1e9,
				       alone / 1e9, ratio, 1 / k);
		add_part(r, &all->graph.region.at[i], all->graph.region.at[i].id,
			 replicated ? OLOSS_REPL : OUNID, sum - alone, rule);
	}
	size_t *back = inverse(pair, all->graph.region.n, one->graph.region.n);
	for (size_t i = 0; i < one->graph.region.n; i++)
		if (one->anchored[i] && back[i] == NO_REGION)
			add_part(r, &one->graph.region.at[i], 0, OUNID, -one->sum[i],
				 mem_string("only on one processing unit"));
	free(back);
}

/* Whether no recorded text of one build is new to the other. Texts that one of them did not record
 * (an older sisc records none of headers) are then taken to be the same, too. */
static bool same_texts(const struct call_graph *g, const struct call_graph *other)
{
	struct strmap texts = { 0 };
	bool same = true;
	add_texts(&texts, other);
	for (size_t i = 0; i < g->region.n; i++)
		same &= !g->region.at[i].checksum[0] ||
			strmap_get(&texts, g->region.at[i].checksum) != MAP_NONE;
	strmap_free(&texts);
	return same;
}

/* id: for each region of one alone, that of the experiment. */
static void add_change(struct references *r, const struct work *seq, const struct work *one,
		       const size_t *pair, const int64_t *id)
{
	bool all_same = same_texts(&one->graph, &seq->graph);
	size_t *back = inverse(pair, one->graph.region.n, seq->graph.region.n);
	for (size_t i = 0; i < one->graph.region.n; i++) {
		const struct graph_region *region = &one->graph.region.at[i];
		const struct graph_region *before =
			pair[i] == NO_REGION ? NULL : &seq->graph.region.at[pair[i]];
		double alone = before ? seq->sum[pair[i]] : 0;
		bool known = before && before->checksum[0] && region->checksum[0];
		bool same = known ? strcmp(before->checksum, region->checksum) == 0 :
			before && all_same;
		const char *text = same ? "the text is the same" : "the text is another";
		char *rule = mem_print("the parallel version works %.6f s on one processing unit, "
				       "the sequential one %.6f s; %s", one->sum[i] / 1e9,
				       alone / 1e9, before ? text : "it is new");
		add_part(r, region, id[i], same ? OADD_COMP : OADD_ALGO, one->sum[i] - alone,
			 rule);
	}
	for (size_t i = 0; i < seq->graph.region.n; i++)
		if (back[i] == NO_REGION && seq->anchored[i])
			add_part(r, &seq->graph.region.at[i], 0, OADD_ALGO, -seq->sum[i],
				 mem_string("only in the sequential version"));
	free(back);
}

/* The part of T_s that is not useful work. It belongs to T_p - T_s/p, but not to the difference of
 * useful work. */
static int add_sequential_leaves(struct references *r, struct repo *repo, struct err *err)
{
	int64_t ns = 0;
	if (repo_number(
		    repo, &ns, err,
		    "SELECT coalesce(sum(o.ns), 0) "
		    "FROM drg_node n "
		    "JOIN overhead o ON o.drg_node = n.id "
		    "WHERE n.experiment = ?",
		    "i", r->seq) < 0)
		return ERR_FAILED;
	const struct graph_region run = { .name = r->seq_name, .file = "" };
	char *rule = mem_string("input, memory and probes of the sequential run: they are in T_s, "
				"and only what exceeds them is overhead here");
	add_part(r, &run, 0, OUNID, -(double)ns, rule);
	return 0;
}

static int by_size(const void *va, const void *vb)
{
	const struct reference_part *a = va, *b = vb;
	int64_t size_a = a->ns < 0 ? clamp_subtract(0, a->ns) : a->ns;
	int64_t size_b = b->ns < 0 ? clamp_subtract(0, b->ns) : b->ns;
	return ORDER(size_b, size_a);
}

static int load_work(struct work *w, struct repo *repo, int64_t id, struct err *err)
{
	*w = (struct work){ 0 };
	return call_graph_load(&w->graph, repo, id, GRAPH_PUS, -1, -1, err);
}

static int explain(struct references *r, struct repo *repo, int64_t experiment, struct err *err)
{
	struct work all = { 0 }, one = { 0 }, seq = { 0 };
	int64_t reference = r->par1 ? r->par1 : r->seq;
	size_t *pair = NULL;
	int rc = load_work(&all, repo, experiment, err);
	rc = rc ? rc : load_work(&one, repo, reference, err);
	rc = rc || !r->par1 ? rc : load_work(&seq, repo, r->seq, err);
	if (rc == 0) {
		pair = compare(&one, &all);
		add_growth(r, &one, &all, pair);
	}
	if (rc == 0 && r->par1) {
		size_t *back = inverse(pair, all.graph.region.n, one.graph.region.n);
		int64_t *id = mem_alloc(one.graph.region.n + 1, sizeof *id);
		for (size_t i = 0; i < one.graph.region.n; i++)
			id[i] = back[i] == NO_REGION ? 0 : all.graph.region.at[back[i]].id;
		release_sums(&one);
		free(pair), free(back);
		pair = compare(&seq, &one);
		add_change(r, &seq, &one, pair, id);
		free(id);
	}
	free(pair);
	rc = rc ? rc : add_sequential_leaves(r, repo, err);
	release_work(&all), release_work(&one), release_work(&seq);
	if (r->part.n)
		qsort(r->part.at, r->part.n, sizeof *r->part.at, by_size);
	return rc;
}

/* -- which runs -------------------------------------------------------------------------------- */

/* Finds runs of the same application and role: first those of the same arguments, then of the same
 * build, then the newest. */
static const char find[] =
	"SELECT q.id "
	"FROM experiment q "
	"JOIN version w ON w.id = q.version, experiment e "
	"JOIN version v ON v.id = e.version "
	"WHERE e.id = ?1 AND w.application = v.application AND q.role = ?2 AND q.complete "
	"AND q.p = 1 "
	"ORDER BY substr(q.command, instr(q.command || ' ', ' ')) = "
	"substr(e.command, instr(e.command || ' ', ' ')) DESC, q.version = e.version DESC, "
	"q.started_ns DESC, q.id DESC LIMIT 1";

static const struct column name_columns[] = { { "name", "", CELL_TEXT },
					      { "t_p", "", CELL_INTEGER },
					      { "p", "", CELL_INTEGER } };

/* The time is without what was not measured, and without a lack of processors: other programs made
 * the run longer. */
static int load_name(struct repo *repo, int64_t id, char **name, int64_t *t_p_ns, int64_t *p,
		     struct err *err)
{
	struct table t;
	table_init(&t, name_columns, 3);
	int rc = pu_leaves_load(repo, id, err);
	rc = rc ? rc :
		  repo_fill(repo, &t, err,
			    "SELECT name, t_p_ns - coalesce((SELECT sum(ns) FROM temp.pu_leaf "
			    "WHERE experiment = ?1 AND leaf IN ('UNMEASURED', 'OLOSS_NOCPU')), 0) "
			    "/ p, p "
			    "FROM experiment WHERE id = ?1", "i", id);
	if (rc == 0) {
		*name = mem_string(t.cell.at[0].text);
		*t_p_ns = t.cell.at[1].integer;
		*p = t.cell.at[2].integer;
	}
	table_release(&t);
	return rc;
}

/* The run of a role: the one that the user names, or one that is found; *id 0: there is none. */
static int choose(struct repo *repo, int64_t experiment, const char *role, int64_t *id, char **name,
		  int64_t *t_p_ns, struct err *err)
{
	int64_t p;
	if (!*id && repo_number(repo, id, err, find, "it", experiment, role) < 0)
		return ERR_FAILED;
	if (!*id)
		return 0;
	if (stored_check(repo, *id, err) || load_name(repo, *id, name, t_p_ns, &p, err))
		return ERR_FAILED;
	return p == 1 ? 0 :
			err_fail(err, "experiment '%s' ran on %" PRId64 " processing units; for a "
				 "comparison with one processing unit, name a run on one", *name,
				 p);
}

int references_load(struct references *r, struct repo *repo, int64_t experiment, int64_t seq,
		    int64_t par1, struct err *err)
{
	int64_t p = 0, t_p_ns;
	*r = (struct references){ .seq = seq, .par1 = par1 };
	int rc = choose(repo, experiment, "seq", &r->seq, &r->seq_name, &r->t_s_ns, err);
	if (rc == 0 &&
	    repo_number(repo, &p, err, "SELECT p FROM experiment WHERE id = ?", "i", experiment) <
		    0)
		rc = ERR_FAILED;
	/* it is itself the parallel version on one processing unit */
	if (rc == 0 && p == 1 && !par1)
		r->par1 = experiment;
	rc = rc ? rc : choose(repo, experiment, "par1", &r->par1, &r->par1_name, &t_p_ns, err);
	if (rc == 0 && r->seq && r->seq != experiment)
		rc = explain(r, repo, experiment, err);
	if (rc)
		references_release(r);
	return rc;
}

int references_keep(const struct references *r, struct repo *repo, struct err *err)
{
	struct query *query = NULL;
	int rc = repo_run(repo, err, "DROP TABLE IF EXISTS temp.reference_part", "");
	if (rc == 0)
		rc = repo_run(
			repo, err,
			"CREATE TEMP TABLE reference_part "
			"(region INTEGER, name TEXT, file TEXT, line INTEGER, leaf TEXT, "
			"ns INTEGER, rule TEXT)",
			"");
	static const char insert[] = "INSERT INTO temp.reference_part VALUES (?, ?, ?, ?, ?, ?, ?)";
	rc = rc ? rc : query_open(repo, &query, insert, err);
	for (size_t i = 0; rc == 0 && i < r->part.n; i++) {
		const struct reference_part *p = &r->part.at[i];
		rc = query_run(query, err, "ittitit", p->region, p->name, p->file, p->line,
			       sis_overhead_table[p->leaf].name, p->ns, p->rule);
	}
	query_close(query);
	return rc;
}

void references_release(struct references *r)
{
	for (size_t i = 0; i < r->part.n; i++)
		free(r->part.at[i].name), free(r->part.at[i].file), free(r->part.at[i].rule);
	vec_free(&r->part);
	free(r->seq_name), free(r->par1_name);
	*r = (struct references){ 0 };
}
