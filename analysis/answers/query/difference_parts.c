/* SPDX-License-Identifier: BSD-3-Clause */
/* difference_parts.c - see difference_parts.h. Owns the parts; one thread.
 *
 * The wall time of each processing unit is useful work + leaves. So T_p is the mean of useful work
 * + leaves over the processing units, and p * T_p is their sum. Therefore the differences of all
 * pairs (region, leaf) add up to the difference of T_p, for any number of processing units. Nodes
 * that the runtime adds below a region count for that region. There are millions of rows, so they
 * are added up here, not by the database. */
#include "answers/query/difference_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/sort.h"
#include "repository/database/pu_leaves.h"

struct item_node { int64_t id; uint32_t path, item; }; /* item: a region of the union, or a path */

struct ids_by_side { struct part_ids side[2]; };
struct sum { uint32_t item; enum sis_overhead leaf; double ns[2]; };

struct finder {
	struct repo *repo;
	bool by_path;
	struct region_union all;
	struct call_paths paths; /* of all runs; regions are numbers in `all` */
	VEC(struct sum) sum;
	VEC(struct ids_by_side) ids; /* by item: the ids of its first node */
	struct map by_item;      /* (item, leaf) -> index in `sum` */
	struct strmap leaves;
	/* state of the run that is read */
	struct map number;       /* id of a region -> its number in the union */
	VEC(struct item_node) node; /* sorted by id */
	int side;
	bool first;              /* the first run of its series */
	double scale;            /* a ns of a PU adds this much to the sum of its series */
	int64_t work;            /* useful work that was not yet given to a node */
};

/* -- regions ----------------------------------------------------------------------------------- */

/* Loads all regions, also those without times. */
static const char regions[] =
	"SELECT r.id, r.key, r.name, r.type, r.file, r.line_start "
	"FROM region r "
	"WHERE r.id IN (SELECT region FROM drg_node WHERE experiment = ?) "
	"ORDER BY r.id";

static int take_region(void *arg, const struct cell *row, struct err *err)
{
	struct region_times *times = arg;
	(void)err;
	*vec_push(&times->region) = (struct region_time){
		.id = row[0].integer, .key = mem_string(row[1].text),
		.name = mem_string(row[2].text), .type = mem_string(row[3].text),
		.file = mem_string(row[4].text), .line = row[5].integer,
	};
	return 0;
}

/* -- nodes ------------------------------------------------------------------------------------- */

static const struct item_node *find_node(const struct finder *f, int64_t id)
{
	size_t n = search_first(i, 0, f->node.n, f->node.at[i].id < id);
	return n < f->node.n && f->node.at[n].id == id ? &f->node.at[n] : NULL;
}

/* Takes a row: node; its parent or 0; if the runtime added the node, the node for which its time
 * counts; region; name. Parents come first. */
static int take_node(void *arg, const struct cell *row, struct err *err)
{
	struct finder *f = arg;
	const struct item_node *above = find_node(f, row[1].integer),
			       *source = find_node(f, row[2].integer);
	struct item_node node = { .id = row[0].integer };
	if (source) {
		node.path = source->path, node.item = source->item;
	} else {
		uint32_t region = map_get(&f->number, (uint64_t)row[3].integer, 0);
		if (region == MAP_NONE) /* only if the repository was damaged after stored_check */
			return err_fail(err, "node %lld of the call graph has no region; import it "
					"again", (long long)node.id);
		/* Paths directly below the root have no parent, because the root is part of no
		 * other path. */
		uint32_t parent = above && above != &f->node.at[0] ? above->path : NO_PATH;
		if (f->by_path)
			node.path = call_paths_add(&f->paths, parent, region, row[4].text, node.id);
		node.item = f->by_path ? node.path : region;
		while (f->ids.n <= node.item)
			vec_push(&f->ids);
		struct part_ids *ids = &f->ids.at[node.item].side[f->side];
		if (f->first && !ids->region)
			*ids = (struct part_ids){ row[3].integer, f->by_path ? node.id : 0 };
	}
	*vec_push(&f->node) = node;
	return 0;
}

/* -- times ------------------------------------------------------------------------------------- */

static void add_time(struct finder *f, uint32_t item, enum sis_overhead leaf, int64_t ns)
{
	bool fresh;
	uint32_t i = map_put(&f->by_item, item, leaf, (uint32_t)f->sum.n, &fresh);
	if (fresh)
		*vec_push(&f->sum) = (struct sum){ .item = item, .leaf = leaf };
	f->sum.at[i].ns[f->side] += (double)ns * f->scale;
}

/* Takes a row: node, useful work. */
static int take_work(void *arg, const struct cell *row, struct err *err)
{
	struct finder *f = arg;
	const struct item_node *node = find_node(f, row[0].integer);
	(void)err;
	if (!node)
		return 0;
	f->work = clamp_subtract(f->work, row[1].integer);
	add_time(f, node->item, O_NONE, row[1].integer);
	return 0;
}

/* Takes a row: node, leaf, time. */
static int take_leaf(void *arg, const struct cell *row, struct err *err)
{
	struct finder *f = arg;
	enum sis_overhead leaf;
	const struct item_node *node = find_node(f, row[0].integer);
	if (overhead_known(&f->leaves, row[1].text, &leaf, err))
		return ERR_FAILED;
	if (node)
		add_time(f, node->item, leaf, row[2].integer);
	return 0;
}

static const char nodes[] =
	"SELECT n.id, coalesce(n.parent, 0), coalesce(n.source_node, n.id), n.region, r.name "
	"FROM drg_node n "
	"JOIN code_region r ON r.id = n.region "
	"WHERE n.experiment = ? "
	"ORDER BY n.id";
static const char works[] =
	"SELECT s.drg_node, s.useful_ns "
	"FROM drg_node n "
	"JOIN region_summary s ON s.drg_node = n.id "
	"WHERE n.experiment = ?";
static const char leaves[] =
	"SELECT o.drg_node, o.leaf, o.ns "
	"FROM drg_node n "
	"JOIN overhead o ON o.drg_node = n.id "
	"WHERE n.experiment = ?";
static const char all_work[] =
	"SELECT coalesce(sum(useful_ns), 0) "
	"FROM processing_unit "
	"WHERE experiment = ?";

/* Adds the times of a run. The useful work of a processing unit whose thread was never seen is in
 * no node; the root gets it. */
static int add_run(struct finder *f, const struct region_times *times, int64_t id, struct err *err)
{
	size_t *number = region_union_add(&f->all, times);
	for (size_t i = 0; i < times->region.n; i++)
		map_put(&f->number, (uint64_t)times->region.at[i].id, 0, (uint32_t)number[i], NULL);
	free(number);
	int rc = repo_number(f->repo, &f->work, err, all_work, "i", id) < 0 ? ERR_FAILED : 0;
	rc = rc ? rc : repo_each(f->repo, take_node, f, err, nodes, "i", id);
	rc = rc ? rc : repo_each(f->repo, take_work, f, err, works, "i", id);
	rc = rc ? rc : repo_each(f->repo, take_leaf, f, err, leaves, "i", id);
	if (rc == 0 && f->node.n && f->work)
		add_time(f, f->node.at[0].item, O_NONE, f->work);
	map_free(&f->number);
	f->node.n = 0;
	return rc;
}

/* -- results ----------------------------------------------------------------------------------- */

static struct difference_part part_of(const struct finder *f, const struct sum *s)
{
	const struct call_path *path = f->by_path ? &f->paths.path.at[s->item] : NULL;
	const struct region_time *r = f->all.region.at[path ? (size_t)path->region : s->item];
	return (struct difference_part){
		.name = path ? call_path_text(&f->paths, s->item, path->shown, " > ") :
			       mem_string(r->name),
		.path = path ? call_path_text(&f->paths, s->item, path->length, "/") : NULL,
		.region = mem_string(r->name), .type = mem_string(r->type),
		.file = mem_string(r->file), .line = r->line, .leaf = s->leaf,
		.a = clamp_round(s->ns[0]), .b = clamp_round(s->ns[1]),
		.id = { f->ids.at[s->item].side[0], f->ids.at[s->item].side[1] },
		.item = s->item,
	};
}

static uint64_t size_of(const struct difference_part *part)
{
	int64_t by = clamp_subtract(part->b, part->a);
	return by < 0 ? 0 - (uint64_t)by : (uint64_t)by;
}

static int by_size(const void *va, const void *vb)
{
	const struct difference_part *a = va, *b = vb;
	return ORDER(size_of(b), size_of(a)) ?: strcmp(a->name, b->name) ?: ORDER(a->leaf, b->leaf);
}

static void release_part(struct difference_part *p)
{
	free(p->name), free(p->path), free(p->region), free(p->type), free(p->file);
}

static void add_parts(struct difference_parts *parts, struct finder *f)
{
	struct difference_part rest = { .a = parts->a, .b = parts->b };
	if (f->by_path)
		call_paths_name(&f->paths);
	for (size_t i = 0; i < f->sum.n; i++) {
		struct difference_part part = part_of(f, &f->sum.at[i]);
		if (!part.a && !part.b) {
			release_part(&part);
			continue;
		}
		rest.a = clamp_subtract(rest.a, part.a);
		rest.b = clamp_subtract(rest.b, part.b);
		*vec_push(&parts->part) = part;
	}
	vec_sort(&parts->part, by_size);
	*vec_push(&parts->part) = rest;
	for (size_t i = 0; i < f->paths.path.n; i++) {
		const struct call_path *path = &f->paths.path.at[i];
		const struct region_time *r = f->all.region.at[path->region];
		const struct part_ids *id = f->ids.at[i].side;
		*vec_push(&parts->path) = (struct difference_path){
			.parent = path->parent, .name = mem_string(r->name),
			.file = mem_string(r->file), .line = r->line,
			.region = { id[0].region, id[1].region },
		};
	}
}

static int64_t mean_time(const run_list *runs, enum time_of time)
{
	double sum = 0;
	for (size_t i = 0; i < runs->n; i++)
		sum += (double)runs->at[i].t_p_ns *
			(time == TIME_SUM ? (double)runs->at[i].p : 1);
	return clamp_round(sum / (double)runs->n);
}

int difference_parts_find(struct difference_parts *parts, struct repo *repo, const run_list *a,
			  const run_list *b, enum time_of time, bool by_path, struct err *err)
{
	struct finder f = { .repo = repo, .by_path = by_path, .leaves = overhead_names() };
	struct region_times *times = mem_alloc(a->n + b->n, sizeof *times);
	int rc = 0;
	*parts = (struct difference_parts){ .a = mean_time(a, time), .b = mean_time(b, time) };
	for (size_t i = 0; rc == 0 && i < a->n + b->n; i++) {
		const run_list *runs = i < a->n ? a : b;
		const struct run *run = &runs->at[i < a->n ? i : i - a->n];
		f.side = runs == b;
		f.first = i == 0 || i == a->n;
		f.scale = 1 / (double)runs->n / (time == TIME_SUM ? 1 : (double)run->p);
		rc = repo_each(repo, take_region, &times[i], err, regions, "i", run->id);
		rc = rc ? rc : add_run(&f, &times[i], run->id, err);
	}
	if (rc == 0)
		add_parts(parts, &f);
	region_union_release(&f.all);
	call_paths_release(&f.paths);
	vec_free(&f.sum), vec_free(&f.node), vec_free(&f.ids);
	map_free(&f.by_item);
	strmap_free(&f.leaves);
	for (size_t i = 0; i < a->n + b->n; i++)
		region_times_release(&times[i]);
	free(times);
	return rc;
}

void difference_parts_release(struct difference_parts *parts)
{
	for (size_t i = 0; i < parts->part.n; i++)
		release_part(&parts->part.at[i]);
	for (size_t i = 0; i < parts->path.n; i++)
		free(parts->path.at[i].name), free(parts->path.at[i].file);
	vec_free(&parts->part);
	vec_free(&parts->path);
}
