/* SPDX-License-Identifier: BSD-3-Clause */
/* region_efficiency.c - adds up the inclusive time of each region by processing unit and leaf, and
 * computes POP's efficiencies from these sums. One thread; owns the list.
 *
 * The time T of a region is the time of the thread that was longest in the region, including time
 * that was not measured. The time of each thread is then T less what was not measured on it. What a
 * thread did not spend in the region is imbalance of the region, wherever the thread waits. */
#include "answers/query/region_efficiency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/sort.h"
#include "answers/query/call_paths.h"
#include "repository/database/pu_leaves.h"

struct path {
	int64_t region;  /* 0: the region is not shown, or counts further up in the path */
	uint32_t parent; /* index; MAP_NONE: none */
};
/* lack: the part of OLOSS_NOCPU in calls of MPI */
struct pu_of_region { uint32_t region, pu; int64_t leaf[SIS_OVERHEADS], lack; };
struct node_of_path {
	uint32_t path; /* index */
	bool is_mpi;
	uint32_t excl; /* index in `excl` of its source region; MAP_NONE: not in the report */
};
struct excl_of_region { int64_t region, leaf[SIS_OVERHEADS]; };

struct adder {
	struct strmap names;      /* of the overhead tree */
	VEC(struct path) path;    /* parents first */
	struct map path_by_id;    /* -> index in `path` */
	VEC(struct node_of_path) node;
	struct map node_by_id;    /* -> index in `node` */
	/* id and index of the last row's node; the next row often has the same */
	int64_t last_node;
	uint32_t last_index;
	VEC(struct excl_of_region) excl;
	struct map excl_by_id;    /* -> index in `excl` */
	VEC(struct pu_account) pu;   /* process and thread only */
	struct map pu_by_id;      /* -> index in `pu` */
	VEC(int64_t) region;      /* ids */
	struct map region_by_id;  /* -> index in `region` */
	VEC(struct pu_of_region) sum;
	struct map sum_by_region_and_pu; /* -> index in `sum` */
};

/* -- the call graph ---------------------------------------------------------------------------- */

/* The regions whose efficiency is useful to know: those in which the program computes. */
#define SHOWN \
	"r.type IN ('CR_P', 'CR_F', 'CR_A', 'CR_S', 'CR_L', 'CR_OUTERLOOP', 'CR_INNERLOOP', " \
	"'CR_FOR', 'CR_WHILE', 'CR_DO', 'CR_BLOCK', 'CR_OMPPA', 'CR_OMPFOR', 'CR_OMPPAFOR', " \
	"'CR_OMPSECTIONS', 'CR_OMPPASEC', 'CR_OMPTASKBODY', 'CR_OMPTASKGROUP', 'CR_OMPLOOP')"

/* The first node of a call path has the id of the path. */
static const char paths[] =
	"SELECT h.id, CASE WHEN " SHOWN " OR r.id = ?2 THEN h.region ELSE 0 END, c.call_path "
	"FROM temp.call_path h JOIN drg_node n ON n.id = h.id "
	"JOIN code_region r ON r.id = h.region "
	"LEFT JOIN temp.call_path_of c ON c.node = n.parent WHERE h.experiment = ?1 ORDER BY h.id";

static bool is_above(const struct adder *a, uint32_t path, int64_t region)
{
	for (; path != MAP_NONE; path = a->path.at[path].parent)
		if (a->path.at[path].region == region)
			return true;
	return false;
}

static int take_path(void *arg, const struct cell *row, struct err *err)
{
	struct adder *a = arg;
	bool fresh;
	uint32_t parent = row[2].kind == CELL_NULL ?
		MAP_NONE :
		map_get(&a->path_by_id, (uint64_t)row[2].integer, 0);
	(void)err;
	map_put(&a->path_by_id, (uint64_t)row[0].integer, 0, (uint32_t)a->path.n, NULL);
	int64_t region = is_above(a, parent, row[1].integer) ? 0 : row[1].integer;
	*vec_push(&a->path) = (struct path){ region, parent };
	if (region == 0)
		return 0;
	map_put(&a->region_by_id, (uint64_t)region, 0, (uint32_t)a->region.n, &fresh);
	if (fresh)
		*vec_push(&a->region) = region;
	return 0;
}

/* Takes a row: node, call path, region of the source, whether the report is about the node, whether
 * the node is a call of MPI. */
static int take_node(void *arg, const struct cell *row, struct err *err)
{
	struct adder *a = arg;
	uint32_t path = map_get(&a->path_by_id, (uint64_t)row[1].integer, 0);
	(void)err;
	map_put(&a->node_by_id, (uint64_t)row[0].integer, 0, (uint32_t)a->node.n, NULL);
	uint32_t excl = MAP_NONE;
	bool fresh = false;
	if (row[3].integer)
		excl = map_put(&a->excl_by_id, (uint64_t)row[2].integer, 0, (uint32_t)a->excl.n,
			       &fresh);
	if (fresh)
		*vec_push(&a->excl) = (struct excl_of_region){ .region = row[2].integer };
	*vec_push(&a->node) = (struct node_of_path){ path, row[4].integer != 0, excl };
	return 0;
}

static int take_unit(void *arg, const struct cell *row, struct err *err)
{
	struct adder *a = arg;
	(void)err;
	map_put(&a->pu_by_id, (uint64_t)row[0].integer, 0, (uint32_t)a->pu.n, NULL);
	*vec_push(&a->pu) = (struct pu_account){ .process = row[1].integer,
					      .thread = row[2].integer };
	return 0;
}

/* -- sums -------------------------------------------------------------------------------------- */

static void add_time(struct adder *a, const struct node_of_path *node, uint32_t pu,
		enum sis_overhead leaf, int64_t ns)
{
	for (uint32_t path = node->path; path != MAP_NONE; path = a->path.at[path].parent) {
		int64_t region = a->path.at[path].region;
		if (region == 0)
			continue;
		bool fresh;
		uint32_t number = map_get(&a->region_by_id, (uint64_t)region, 0);
		uint32_t at = map_put(&a->sum_by_region_and_pu, number, pu, (uint32_t)a->sum.n,
				      &fresh);
		if (fresh)
			*vec_push(&a->sum) = (struct pu_of_region){ .region = number, .pu = pu };
		struct pu_of_region *sum = &a->sum.at[at];
		sum->leaf[leaf] = clamp_add(sum->leaf[leaf], ns);
		if (node->is_mpi && leaf == OLOSS_NOCPU)
			sum->lack = clamp_add(sum->lack, ns);
	}
}

/* Takes a row: node, PU, leaf or NULL, ns. */
static int take_time(void *arg, const struct cell *row, struct err *err)
{
	struct adder *a = arg;
	uint32_t pu = map_get(&a->pu_by_id, (uint64_t)row[1].integer, 0);
	enum sis_overhead leaf = O_NONE;
	if (row[0].integer != a->last_node) {
		a->last_node = row[0].integer;
		a->last_index = map_get(&a->node_by_id, (uint64_t)row[0].integer, 0);
	}
	if (row[2].kind != CELL_NULL && overhead_known(&a->names, row[2].text, &leaf, err))
		return ERR_FAILED;
	if (a->last_index == MAP_NONE)
		return 0;
	struct node_of_path node = a->node.at[a->last_index];
	if (node.excl != MAP_NONE) {
		int64_t *excl = &a->excl.at[node.excl].leaf[leaf];
		*excl = clamp_add(*excl, row[3].integer);
	}
	if (node.path != MAP_NONE && pu != MAP_NONE)
		add_time(a, &node, pu, leaf, row[3].integer);
	return 0;
}

static const char useful[] =
	"SELECT s.drg_node, s.pu, NULL, s.useful_ns FROM drg_node n "
	"JOIN region_summary s ON s.drg_node = n.id WHERE n.experiment = ?1 AND s.useful_ns <> 0";
static const char leaves[] =
	"SELECT o.drg_node, o.pu, o.leaf, o.ns FROM drg_node n "
	"JOIN overhead o ON o.drg_node = n.id WHERE n.experiment = ?1";

/* -- efficiencies ------------------------------------------------------------------------------ */

/* Sorts by region, then PU. PUs are in the order of processes and threads. */
static int by_region_and_pu(const void *va, const void *vb)
{
	const struct pu_of_region *a = va, *b = vb;
	return ORDER(a->region, b->region) ?: ORDER(a->pu, b->pu);
}

static struct region_efficiency finish(const struct adder *a, const struct pu_of_region *sum,
				       size_t n)
{
	struct region_efficiency r = { .region = a->region.at[sum->region], .units = n };
	VEC(struct pu_account) pu = { 0 };
	double longest = 0, without = 0, all = 0;
	for (size_t i = 0; i < n; i++) {
		struct pu_account work = a->pu.at[sum[i].pu];
		for (int leaf = 0; leaf < SIS_OVERHEADS; leaf++) {
			pu_account_add(&work, leaf, (double)sum[i].leaf[leaf]);
			r.leaf[leaf] = clamp_add(r.leaf[leaf], sum[i].leaf[leaf]);
		}
		pu_account_in_mpi(&work, (double)sum[i].lack);
		/* How long the PU was in the region. For the first thread of each process in the
		 * region, this is its whole time there. For other threads, it is this time without
		 * idle time. */
		bool is_first = !pu.n || pu.at[pu.n - 1].process != work.process;
		double wall = is_first ? work.all :
					 work.useful + work.local + work.waits + work.scheduling;
		longest = fmax(longest, wall);
		all = fmax(all, wall + work.unmeasured);
		without = fmax(without, wall - (double)sum[i].leaf[OPROBE]);
		if (sum[i].leaf[O_NONE] > r.most_useful_ns)
			r.most_useful_ns = sum[i].leaf[O_NONE];
		*vec_push(&pu) = work;
	}
	r.longest_ns = clamp_round(longest);
	r.longest_without_ns = clamp_round(without);
	efficiencies_compute(&r.efficiencies, pu.at, n, all);
	vec_free(&pu);
	return r;
}

static int by_time(const void *va, const void *vb)
{
	const struct region_efficiency *a = va, *b = vb;
	return ORDER(b->ns, a->ns) ?: ORDER(a->region, b->region);
}

static void finish_all(struct adder *a, region_efficiencies *list)
{
	int64_t p = a->pu.n ? (int64_t)a->pu.n : 1;
	vec_sort(&a->sum, by_region_and_pu);
	for (size_t i = 0, next; i < a->sum.n; i = next) {
		for (next = i; next < a->sum.n && a->sum.at[next].region == a->sum.at[i].region;)
			next++;
		struct region_efficiency *r = vec_push(list);
		*r = finish(a, &a->sum.at[i], next - i);
		for (int leaf = 0; leaf < SIS_OVERHEADS; leaf++) {
			r->leaf[leaf] = clamp_add(r->leaf[leaf], p / 2) / p;
			r->ns = clamp_add(r->ns, r->leaf[leaf]);
		}
	}
	vec_sort(list, by_time);
}

/* -- the list ---------------------------------------------------------------------------------- */

static int take_name(void *arg, const struct cell *row, struct err *err)
{
	struct region_efficiency *r = arg;
	(void)err;
	r->name = mem_string(row[0].text);
	r->file = mem_string(row[1].text);
	r->line = row[2].integer;
	return 0;
}

static const char nodes[] =
	"SELECT n.id, coalesce(c.call_path, 0), s.region, k.node IS NOT NULL, "
	"r.type LIKE 'CR_MPI%' FROM drg_node n JOIN code_region r ON r.id = n.region "
	"JOIN drg_node s ON s.id = n.source_node "
	"LEFT JOIN temp.call_path_of c ON c.node = n.id "
	"LEFT JOIN temp.report_node k ON k.node = n.id "
	"WHERE n.experiment = ?1";
static const char units[] =
	"SELECT id, process, thread FROM processing_unit WHERE experiment = ?1 "
	"ORDER BY process, thread";

/* Makes temp.region_part(region, leaf, ns) of the report's nodes; leaf NULL: useful work. */
static int store_parts(const struct adder *a, struct repo *repo, struct err *err)
{
	static const struct rows_form form = {
		"INSERT INTO temp.region_part (region, leaf, ns)", "", "iti"
	};
	struct rows *rows = NULL;
	int rc = repo_run(repo, err, "DROP TABLE IF EXISTS temp.region_part", "");
	rc = rc ? rc : repo_run(repo, err, "CREATE TEMP TABLE region_part "
				"(region INTEGER, leaf TEXT, ns INTEGER)", "");
	rc = rc ? rc : rows_open(repo, &rows, &form, err);
	for (size_t i = 0; rc == 0 && i < a->excl.n; i++)
		for (int leaf = 0; rc == 0 && leaf < SIS_OVERHEADS; leaf++)
			if (a->excl.at[i].leaf[leaf])
				rc = rows_add(rows, err, a->excl.at[i].region,
					      leaf ? sis_overhead_table[leaf].name : NULL,
					      a->excl.at[i].leaf[leaf]);
	rc = rc ? rc : rows_end(rows, err);
	rows_close(rows);
	return rc;
}

int region_efficiencies_load(region_efficiencies *list, struct repo *repo, int64_t experiment,
			     int64_t also, struct err *err)
{
	struct adder a = { .names = overhead_names() };
	int rc = call_paths_load(repo, experiment, err);
	rc = rc ? rc : repo_each(repo, take_path, &a, err, paths, "ii", experiment, also);
	rc = rc ? rc : repo_each(repo, take_node, &a, err, nodes, "i", experiment);
	rc = rc ? rc : repo_each(repo, take_unit, &a, err, units, "i", experiment);
	rc = rc ? rc : repo_each(repo, take_time, &a, err, useful, "i", experiment);
	rc = rc ? rc : repo_each(repo, take_time, &a, err, leaves, "i", experiment);
	rc = rc ? rc : store_parts(&a, repo, err);
	if (rc == 0)
		finish_all(&a, list);
	strmap_free(&a.names);
	vec_free(&a.path), vec_free(&a.pu), vec_free(&a.region), vec_free(&a.sum);
	vec_free(&a.node), vec_free(&a.excl);
	map_free(&a.path_by_id), map_free(&a.node_by_id), map_free(&a.pu_by_id);
	map_free(&a.region_by_id), map_free(&a.sum_by_region_and_pu), map_free(&a.excl_by_id);
	for (size_t i = 0; rc == 0 && i < list->n; i++)
		rc = repo_each(repo, take_name, &list->at[i], err,
			       "SELECT name, file, line_start FROM region WHERE id = ?", "i",
			       list->at[i].region);
	return rc;
}

void region_efficiencies_release(region_efficiencies *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->at[i].name), free(list->at[i].file);
		efficiencies_release(&list->at[i].efficiencies);
	}
	vec_free(list);
}
