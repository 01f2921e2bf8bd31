/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_runs.c - explains how an experiment's useful work differs from that of a sequential
 * run. Owns the parts; one thread.
 *
 *   useful(p PUs) - useful(seq)
 *     =  useful(par1) - useful(seq)         the parallel version does more on one PU: OADD_ALGO if
 *                                           the text is another, OADD_COMP if the compiler is
 *     +  useful(p PUs) - useful(par1)       p PUs do more than one: OLOSS_REPL where each does
 *                                           what one alone did, else unidentified
 *
 * The call paths of two runs are matched (matched_paths.h), and each nanosecond of useful work
 * counts for one path only, not also for the paths around it. So the differences of the paths add
 * up exactly. Without par1, only the second line is computed, with seq in place of par1. */
#include "answers/query/reference_runs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clamp.h"
#include "base/map.h"
#include "base/sort.h"
#include "answers/query/code_change.h"
#include "answers/query/path_work.h"
#include "answers/query/replication.h"
#include "repository/database/pu_leaves.h"
#include "repository/database/stored_check.h"

/* -- parts ------------------------------------------------------------------------------------- */

/* Where the time of a part is. `path`: 1 + the index of the path among the paths that match the run
 * on one processing unit with the experiment; 0: the experiment does not have the path. */
struct position {
	const struct graph_region *region;
	int64_t path, node, id;
	char *text;              /* of the path */
};

/* Adds a part, which owns `rule` and the text of `at` from then on. */
static void add_part(struct references *r, struct position at, enum sis_overhead leaf, double ns,
		     char *rule)
{
	if (ns < 0.5 && ns > -0.5) {
		free(rule), free(at.text);
		return;
	}
	*vec_push(&r->part) = (struct reference_part){
		.region = at.id, .path_id = at.path, .node = at.node,
		.name = mem_string(at.region->name), .path = at.text, .leaf = leaf,
		.ns = clamp_round(ns), .file = mem_string(at.region->file),
		.line = at.region->line_start, .rule = rule };
}

/* The position of a path in the second run, which is the experiment or, if that does not have the
 * path, in the first run. */
static struct position position_of(const struct work_pair *pair, uint32_t path)
{
	const struct matched_path *match = &pair->matched.match.at[path];
	char *text = matched_path_text(&pair->matched, path, "/");
	if (match->node[1] == NO_MATCH)
		return (struct position){
			.region = &pair->from->graph.region.at[match->region[0]], .text = text };
	const struct graph_region *region = &pair->to->graph.region.at[match->region[1]];
	return (struct position){ region, (int64_t)path + 1,
				  pair->to->graph.node.at[match->node[1]].id, region->id, text };
}

/* -- growth: one processing unit, and all ------------------------------------------------------ */

static char *growth_rule(const struct replication *found, double alone_ns, int64_t alone_calls)
{
	static const char *const verdict[] = {
		[SHARING_ONE] = "one does the work, so it is not replicated",
		[SHARING_DIVIDED] = "they divide the work",
		[SHARING_CALLS] = "they divide the calls, so the work is not replicated",
		[SHARING_REPLICATED] = "each does all of it",
		[SHARING_PROCESSES] = "each process does all of it, and its threads divide that",
		[SHARING_THREADS] = "the processes divide it, and each thread does all of its part",
	};
	struct buf rule = { 0 };
	if (found->sharing == SHARING_NONE)
		return mem_print("%.1f processing units work %.6f s each; one alone does not come "
				 "here by this call path, so r is not known", found->units,
				 found->ns / 1e9);
	buf_print(&rule, "%.1f processing units work %.6f s each, one alone %.6f s: r = %.2f "
		  "(1 replicated, %.2f divided)", found->units, found->ns / 1e9, alone_ns / 1e9,
		  found->ratio, 1 / found->units);
	if (found->calls_known)
		buf_print(&rule, "; %.1f calls each, %" PRId64 " in total, %" PRId64 " alone",
			  found->calls, found->sum_calls, alone_calls);
	else
		buf_print(&rule, "; calls do not say how the work is shared");
	buf_print(&rule, "; %s", verdict[found->sharing]);
	return buf_take(&rule);
}

static void add_growth_of(struct references *r, const struct work_pair *pair, uint32_t path,
			  const struct pu_work *of_pu, size_t n)
{
	double alone = pair->from->ns[path], sum = pair->to->ns[path];
	int64_t calls = pair->from->calls[path];
	struct replication found = replication_judge(of_pu, n, alone, calls);
	if (!replication_is(&found)) {
		add_part(r, position_of(pair, path), OUNID, sum - alone,
			 growth_rule(&found, alone, calls));
		return;
	}
	double more = sum - alone - found.repeated_ns;
	add_part(r, position_of(pair, path), OLOSS_REPL, found.repeated_ns,
		 growth_rule(&found, alone, calls));
	add_part(r, position_of(pair, path), OUNID, more,
		 mem_print("beyond the replicated work: %.6f s on each processing unit",
			   more / found.units / 1e9));
}

/* Adds, for each path, the useful work of the experiment less that of the run on one processing
 * unit. */
static void add_growth(struct references *r, const struct work_pair *pair)
{
	const struct work *all = pair->to;
	VEC(struct pu_work) of_pu = { 0 };
	for (uint32_t path = 0; path < pair->matched.match.n; path++) {
		of_pu.n = 0;
		for (size_t i = all->first[path]; i < all->first[path + 1]; i++) {
			const struct path_work *w = &all->part.at[i];
			const struct graph_pu *pu = &all->graph.pu.at[w->pu];
			*vec_push(&of_pu) =
				(struct pu_work){ pu->process, pu->thread, w->ns, w->calls };
		}
		if (pair->matched.match.at[path].node[1] == NO_MATCH)
			add_part(r, position_of(pair, path), OUNID, -pair->from->ns[path],
				 mem_string("only on one processing unit"));
		else if (of_pu.n)
			add_growth_of(r, pair, path, of_pu.at, of_pu.n);
	}
	vec_free(&of_pu);
}

/* -- change: sequential version, and parallel version ------------------------------------------ */

static struct code code_of(const struct work *w, const struct work_pair *pair, int run,
			   uint32_t path)
{
	const struct call_path *paths = pair->matched.paths.path.at;
	const struct matched_path *match = pair->matched.match.at;
	const struct graph_region *region = w->graph.region.at, *last = NULL;
	for (uint32_t at = path; !last && at; at = paths[at].parent)
		if (match[at].region[run] != NO_MATCH && region[match[at].region[run]].tokens[0])
			last = &region[match[at].region[run]];
	return (struct code){ last ? last : &region[match[path].region[run]], w->calls[path] };
}

static struct code_change change_of(const struct work_pair *pair, uint32_t path, bool all_same)
{
	const struct matched_path *match = &pair->matched.match.at[path];
	struct code before, after;
	if (path == 0)
		return (struct code_change){
			OUNID, mem_string("outside of functions that are measured") };
	if (match->node[0] == NO_MATCH)
		return (struct code_change){
			OADD_ALGO, mem_string("it is new: the sequential version does not come "
					      "here by this call path") };
	if (match->node[1] == NO_MATCH)
		return (struct code_change){
			OADD_ALGO, mem_string("only in the sequential version") };
	before = code_of(pair->from, pair, 0, path);
	after = code_of(pair->to, pair, 1, path);
	return code_change_between(&before, &after, all_same);
}

/* The position in the experiment of a path of `change`, whose second run is that on one processing
 * unit. */
static struct position position_in(const struct work_pair *growth, const struct work_pair *change,
				   uint32_t path)
{
	struct position at = position_of(change, path);
	uint32_t node = change->matched.match.at[path].node[1];
	at.path = at.node = at.id = 0;
	if (node == NO_MATCH)
		return at;
	uint32_t same = growth->matched.of_node[0][node];
	if (growth->matched.match.at[same].node[1] == NO_MATCH)
		return at;
	free(at.text);
	return position_of(growth, same);
}

/* Adds, for each path, the useful work of the parallel version on one processing unit less that of
 * the sequential version. */
static void add_change(struct references *r, const struct work_pair *growth,
		       const struct work_pair *change)
{
	const struct call_graph *to = &change->to->graph, *from = &change->from->graph;
	struct strmap texts = { 0 };
	/* Whether the sequential version has each text of a file that the parallel version has. If
	 * so, files without a recorded text are assumed to be the same, too. (An older sisc records
	 * no texts of headers.) */
	bool all_same = true;
	for (size_t i = 0; i < from->region.n; i++)
		strmap_put(&texts, from->region.at[i].checksum, 0, NULL);
	for (size_t i = 0; i < to->region.n; i++)
		all_same &= !to->region.at[i].checksum[0] ||
			strmap_get(&texts, to->region.at[i].checksum) != MAP_NONE;
	strmap_free(&texts);
	for (uint32_t path = 0; path < change->matched.match.n; path++) {
		double before = change->from->ns[path], after = change->to->ns[path];
		struct code_change found = change_of(change, path, all_same);
		char *rule = mem_print("the parallel version works %.6f s on one processing unit, "
				       "the sequential one %.6f s; %s", after / 1e9, before / 1e9,
				       found.reason);
		add_part(r, position_in(growth, change, path), found.leaf, after - before, rule);
		free(found.reason);
	}
}

/* Adds, as a negative part, the time in T_s that is not useful work. T_o is computed by subtracting
 * all of T_s, but the difference of useful work does not contain this time. */
static int add_sequential_leaves(struct references *r, struct repo *repo, struct err *err)
{
	int64_t ns = 0;
	if (repo_number(
		    repo, &ns, err,
		    "SELECT coalesce(sum(o.ns), 0) "
		    "FROM drg_node n "
		    "JOIN overhead o ON o.drg_node = n.id "
		    "WHERE n.experiment = ? AND o.leaf NOT IN " LEAVES("IS_NOT_IN_T_S"),
		    "i", r->seq) < 0)
		return ERR_FAILED;
	const struct graph_region run = { .name = r->seq_name, .file = "" };
	const struct position at = { .region = &run, .text = mem_string("") };
	char *rule = mem_string("input, memory and probes of the sequential run: they are in T_s, "
				"and only what exceeds them is overhead here");
	add_part(r, at, OUNID, -(double)ns, rule);
	return 0;
}

static int by_size(const void *va, const void *vb)
{
	const struct reference_part *a = va, *b = vb;
	int64_t size_a = a->ns < 0 ? clamp_subtract(0, a->ns) : a->ns;
	int64_t size_b = b->ns < 0 ? clamp_subtract(0, b->ns) : b->ns;
	return ORDER(size_b, size_a);
}

static int explain(struct references *r, struct repo *repo, int64_t experiment, struct err *err)
{
	struct work all = { 0 }, one = { 0 }, seq = { 0 };
	struct work_pair growth = { 0 }, change = { 0 };
	int64_t reference = r->par1 ? r->par1 : r->seq;
	int rc = work_load(&all, repo, experiment, err);
	rc = rc ? rc : work_load(&one, repo, reference, err);
	rc = rc || !r->par1 ? rc : work_load(&seq, repo, r->seq, err);
	if (rc == 0) {
		work_pair_load(&growth, &one, &all);
		add_growth(r, &growth);
		for (uint32_t n = 0; n < all.graph.node.n; n++)
			if (matched_paths_ends(&growth.matched, &all.graph, 1, n))
				*vec_push(&r->node) = (struct reference_node){
					(int64_t)growth.matched.of_node[1][n] + 1,
					all.graph.node.at[n].id };
		work_clear_paths(&one);
	}
	if (rc == 0 && r->par1) {
		work_pair_load(&change, &seq, &one);
		add_change(r, &growth, &change);
	}
	rc = rc ? rc : add_sequential_leaves(r, repo, err);
	work_pair_release(&growth), work_pair_release(&change);
	work_release(&all), work_release(&one), work_release(&seq);
	vec_sort(&r->part, by_size);
	return rc;
}

/* -- choosing the reference runs --------------------------------------------------------------- */

/* Finds the best run of the same application and role. Runs with the same arguments come first,
 * then runs of the same build, then the newest runs. */
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

/* Loads the name and time of a run. The time is less what was not measured, and less the lack of
 * processors, by which other programs made the run longer. */
static int load_name(struct repo *repo, int64_t id, char **name, int64_t *t_p_ns, int64_t *p,
		     struct err *err)
{
	struct table t;
	table_init(&t, name_columns, 3);
	int rc = pu_leaves_load(repo, id, err);
	rc = rc ? rc :
		  repo_fill(repo, &t, err,
			    "SELECT name, t_p_ns - coalesce((SELECT sum(ns) FROM temp.pu_leaf "
			    "WHERE experiment = ?1 AND leaf IN " LEAVES("IS_NOT_IN_T_S") "), 0) "
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

/* Chooses the run of a role: the run *id if the user named one, else the best run that is found.
 * *id becomes 0 if there is none. */
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
	/* the experiment itself is the parallel version on one processing unit */
	if (rc == 0 && p == 1 && !par1)
		r->par1 = experiment;
	rc = rc ? rc : choose(repo, experiment, "par1", &r->par1, &r->par1_name, &t_p_ns, err);
	if (rc == 0 && r->seq && r->seq != experiment)
		rc = explain(r, repo, experiment, err);
	if (rc)
		references_release(r);
	return rc;
}

static int keep_parts(const struct references *r, struct repo *repo, struct err *err)
{
	struct query *query = NULL;
	int rc = repo_run(repo, err, "DROP TABLE IF EXISTS temp.reference_part", "");
	if (rc == 0)
		rc = repo_run(
			repo, err,
			"CREATE TEMP TABLE reference_part "
			"(path_id INTEGER, node INTEGER, region INTEGER, name TEXT, path TEXT, "
			"file TEXT, line INTEGER, leaf TEXT, ns INTEGER, rule TEXT)",
			"");
	static const char insert[] =
		"INSERT INTO temp.reference_part VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
	rc = rc ? rc : query_open(repo, &query, insert, err);
	for (size_t i = 0; rc == 0 && i < r->part.n; i++) {
		const struct reference_part *p = &r->part.at[i];
		rc = query_run(query, err, "iiitttitit", p->path_id, p->node, p->region, p->name,
			       p->path, p->file, p->line, sis_overhead_table[p->leaf].name, p->ns,
			       p->rule);
	}
	query_close(query);
	return rc;
}

static int keep_nodes(const struct references *r, struct repo *repo, struct err *err)
{
	static const struct rows_form form = { "INSERT INTO temp.reference_node (node, path_id)",
					       "", "ii" };
	struct rows *rows = NULL;
	int rc = repo_run(repo, err, "DROP TABLE IF EXISTS temp.reference_node", "");
	rc = rc ? rc :
		  repo_run(repo, err,
			   "CREATE TEMP TABLE reference_node "
			   "(node INTEGER PRIMARY KEY, path_id INTEGER)", "");
	rc = rc ? rc : rows_open(repo, &rows, &form, err);
	for (size_t i = 0; rc == 0 && i < r->node.n; i++)
		rc = rows_add(rows, err, r->node.at[i].node, r->node.at[i].path_id);
	rc = rc ? rc : rows_end(rows, err);
	rows_close(rows);
	return rc ? rc : repo_run(repo, err, "CREATE INDEX temp.index_reference_node "
				  "ON reference_node(path_id)", "");
}

int references_keep(const struct references *r, struct repo *repo, struct err *err)
{
	return keep_parts(r, repo, err) || keep_nodes(r, repo, err) ? ERR_FAILED : 0;
}

void references_release(struct references *r)
{
	for (size_t i = 0; i < r->part.n; i++)
		free(r->part.at[i].name), free(r->part.at[i].path), free(r->part.at[i].file),
			free(r->part.at[i].rule);
	vec_free(&r->part), vec_free(&r->node);
	free(r->seq_name), free(r->par1_name);
	*r = (struct references){ 0 };
}
