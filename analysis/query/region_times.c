/* SPDX-License-Identifier: BSD-3-Clause */
/* region_times.c - times of regions, and which regions of two experiments are the same. Owns a list
 * of regions for each experiment; one thread. Sources move between experiments. So regions are
 * matched by their keys first (file:unit:type:name:ordinal), then by keys without the file's
 * directory, then without the file; the last two only where that is unambiguous. */
#include "query/region_times.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

static const struct column columns[] = {
	{ "key", "", CELL_TEXT },     { "name", "", CELL_TEXT },     { "type", "", CELL_TEXT },
	{ "file", "", CELL_TEXT },    { "line", "", CELL_INTEGER },  { "wall", "", CELL_INTEGER },
	{ "excl", "", CELL_INTEGER }, { "calls", "", CELL_INTEGER },
};

/* ?1 experiment. */
static const char times_by_region[] =
	"SELECT r.key, r.name, r.type, r.file, r.line_start, max(x.incl), "
	"(sum(x.excl) + e.p / 2) / e.p, sum(x.calls) "
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

/* -- pairs ------------------------------------------------------------------------------------- */

/* A key of a region: as it is, without the directories of the file, or without the file. */
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

/* The region of this key; MAP_NONE: there is none, or more than one. */
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

/* The name: the fourth of the five parts of a key. The parts before it may contain colons. */
static bool has_bare_name(const char *key, const char *name)
{
	size_t n = strlen(name), length = strlen(key), end = length;
	while (end && key[end - 1] != ':')
		end--;
	return end > n + 1 && key[end - n - 2] == ':' && strncmp(key + end - n - 1, name, n) == 0;
}

bool region_time_is(const struct region_time *region, const char *name)
{
	return strcmp(region->name, name) == 0 || strcmp(region->key, name) == 0 ||
		has_bare_name(region->key, name);
}
