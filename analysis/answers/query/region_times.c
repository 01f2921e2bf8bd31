/* SPDX-License-Identifier: BSD-3-Clause */
/* region_times.c - loads times of regions, and finds which regions of two experiments are the same.
 * Owns a list of regions for each experiment; one thread. Source files may move between
 * experiments. So regions are matched first by their keys (file:unit:type:name:ordinal), then by
 * keys without the file's directory, then by keys without the file. A key that several regions of
 * an experiment have matches none. */
#include "answers/query/region_times.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "answers/query/region_names.h"

static const struct column columns[] = {
	{ "key", "", CELL_TEXT },     { "name", "", CELL_TEXT },     { "type", "", CELL_TEXT },
	{ "file", "", CELL_TEXT },    { "line", "", CELL_INTEGER },  { "wall", "", CELL_INTEGER },
	{ "excl", "", CELL_INTEGER }, { "calls", "", CELL_INTEGER }, { "id", "", CELL_INTEGER },
};

/* ?1 experiment. */
static const char times_by_region[] =
	"SELECT r.key, r.name, r.type, r.file, r.line_start, max(x.incl), "
	"(sum(x.excl) + e.p / 2) / e.p, sum(x.calls), r.id "
	"FROM (SELECT n.experiment, n.region, s.pu, "
	"sum(CASE WHEN n.nested THEN 0 ELSE s.incl_ns END) AS incl, "
	"sum(s.excl_ns) AS excl, sum(s.calls) AS calls "
	"FROM drg_node n JOIN region_summary s ON s.drg_node = n.id "
	"WHERE n.experiment = ?1 GROUP BY n.region, s.pu) x "
	"JOIN region r ON r.id = x.region "
	"JOIN experiment e ON e.id = x.experiment "
	"GROUP BY r.id "
	"ORDER BY sum(x.excl) DESC, r.id";

int region_times_load(struct region_times *times, struct repo *repo, int64_t experiment,
		      struct err *err)
{
	struct table t;
	*times = (struct region_times){ 0 };
	table_init(&t, columns, sizeof columns / sizeof *columns);
	int rc = repo_fill(repo, &t, err, times_by_region, "i", experiment);
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++) {
		const struct cell *c = table_cell(&t, i, 0);
		*vec_push(&times->region) = (struct region_time){
			.key = mem_string(c[0].text),
			.name = mem_string(c[1].text),
			.type = mem_string(c[2].text),
			.file = mem_string(c[3].text),
			.line = c[4].integer,
			.wall_ns = c[5].integer,
			.excl_ns = c[6].integer,
			.calls = c[7].integer,
			.id = c[8].integer,
		};
	}
	table_release(&t);
	return rc;
}

void region_times_release(struct region_times *times)
{
	for (size_t i = 0; i < times->region.n; i++) {
		struct region_time *r = &times->region.at[i];
		free(r->key), free(r->name), free(r->type), free(r->file);
	}
	vec_free(&times->region);
}

static const char probes[] =
	"SELECT n.region, o.ns "
	"FROM drg_node n "
	"JOIN overhead o ON o.drg_node = n.id "
	"WHERE n.experiment = ? AND o.leaf = 'OPROBE'";

struct probe_taker { struct region_times *times; struct map by_id; int64_t *sum; };

static int take_probe(void *arg, const struct cell *row, struct err *err)
{
	struct probe_taker *t = arg;
	uint32_t i = map_get(&t->by_id, (uint64_t)row[0].integer, 0);
	(void)err;
	if (i != MAP_NONE)
		t->sum[i] = clamp_add(t->sum[i], row[1].integer);
	return 0;
}

int region_times_load_probes(struct region_times *times, struct repo *repo, int64_t experiment,
			     struct err *err)
{
	int64_t p = 1;
	struct probe_taker t = { .times = times };
	t.sum = mem_alloc(times->region.n + 1, sizeof *t.sum);
	for (size_t i = 0; i < times->region.n; i++)
		map_put(&t.by_id, (uint64_t)times->region.at[i].id, 0, (uint32_t)i, NULL);
	int rc = repo_each(repo, take_probe, &t, err, probes, "i", experiment);
	if (rc == 0 && repo_number(repo, &p, err, "SELECT p FROM experiment WHERE id = ?", "i",
				   experiment) < 0)
		rc = ERR_FAILED;
	for (size_t i = 0; rc == 0 && i < times->region.n; i++)
		times->region.at[i].probe_ns = t.sum[i] / (p > 0 ? p : 1);
	map_free(&t.by_id);
	free(t.sum);
	return rc;
}

/* -- pairs ------------------------------------------------------------------------------------- */

/* The key of a region: at level 0 the whole key, at level 1 without the directories of the file, at
 * level 2 without the file. */
static const char *key_at_level(const struct region_time *r, int level)
{
	size_t n = strlen(r->file);
	if (level == 0 || n == 0 || strncmp(r->key, r->file, n) != 0)
		return r->key;
	const char *slash = strrchr(r->file, '/');
	return level == 2 ? r->key + n : slash ? r->key + (slash + 1 - r->file) : r->key;
}

struct keys { struct strmap one, several; };

static void index_keys(struct keys *keys, const struct region_times *times, const bool *taken,
		       int level)
{
	for (size_t i = 0; i < times->region.n; i++) {
		bool fresh;
		const char *key = key_at_level(&times->region.at[i], level);
		if (taken[i])
			continue;
		strmap_put(&keys->one, key, i, &fresh);
		if (!fresh)
			strmap_put(&keys->several, key, 0, NULL);
	}
}

/* The region with a key; MAP_NONE if no region or several regions have the key. */
static uint32_t unique(const struct keys *keys, const char *key)
{
	return strmap_get(&keys->several, key) == MAP_NONE ? strmap_get(&keys->one, key) : MAP_NONE;
}

static void release_keys(struct keys *keys)
{
	strmap_free(&keys->one);
	strmap_free(&keys->several);
}

size_t *region_times_pair(const struct region_times *from, const struct region_times *to)
{
	size_t *pair = mem_alloc(to->region.n + 1, sizeof *pair);
	bool *taken_from = mem_alloc(from->region.n + 1, 1),
	     *taken_to = mem_alloc(to->region.n + 1, 1);
	for (size_t i = 0; i < to->region.n; i++)
		pair[i] = NO_REGION;
	for (int level = 0; level <= 2; level++) {
		struct keys a = { 0 }, b = { 0 };
		index_keys(&a, from, taken_from, level);
		index_keys(&b, to, taken_to, level);
		for (size_t i = 0; i < to->region.n; i++) {
			const char *key = key_at_level(&to->region.at[i], level);
			uint32_t found = taken_to[i] || unique(&b, key) == MAP_NONE ?
				MAP_NONE :
				unique(&a, key);
			if (found == MAP_NONE)
				continue;
			pair[i] = found;
			taken_to[i] = taken_from[found] = true;
		}
		release_keys(&a);
		release_keys(&b);
	}
	free(taken_from);
	free(taken_to);
	return pair;
}

/* A region is in the union already if it matches a region of the first experiment
 * (region_times_pair), or has the same key as an earlier region that matches none of them. */
size_t *region_union_add(struct region_union *all, const struct region_times *times)
{
	bool is_first = !all->first;
	all->first = is_first ? times : all->first;
	size_t *number = region_times_pair(all->first, times);
	for (size_t i = 0; i < times->region.n; i++) {
		const struct region_time *region = &times->region.at[i];
		size_t at = is_first ? i : number[i];
		if (at == NO_REGION)
			at = strmap_put(&all->by_key, region->key, (uint32_t)all->region.n, NULL);
		if (at == all->region.n)
			vec_push(&all->region);
		all->region.at[at] = region;
		number[i] = at;
	}
	return number;
}

void region_union_release(struct region_union *all)
{
	vec_free(&all->region);
	strmap_free(&all->by_key);
}

bool region_time_is(const struct region_time *region, const char *name)
{
	const struct region_name names = { region->name, region->key, region->file, region->line };
	return region_is_named(&names, name);
}
