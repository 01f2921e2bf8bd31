/* SPDX-License-Identifier: BSD-3-Clause */
/* region_choice.c - see region_choice.h. Owns the temporary tables; one thread. A name is first
 * looked for among the regions. If no region has the name, the name is split into the regions of a
 * call path, each of which can be named in the same ways. */
#include "answers/query/region_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/map.h"
#include "answers/query/call_paths.h"
#include "answers/query/region_names.h"
#include "tables.h"

struct region { int64_t id; char *name, *key, *file; int64_t line; };
struct path { int64_t id, region; uint32_t parent; };
struct chooser {
	VEC(struct region) region;
	VEC(struct path) path;      /* parents first */
	struct map region_by_id, path_by_id;
	VEC(char *) part;           /* the name, split into regions */
	VEC(int64_t) found;         /* ids of regions or of call paths */
};

/* -- regions and call paths of the experiment -------------------------------------------------- */

static const char regions[] =
	"SELECT r.id, r.name, r.key, r.file, r.line_start "
	"FROM region r "
	"WHERE r.id IN (SELECT region FROM drg_node WHERE experiment = ?1) "
	"ORDER BY r.id";

static const char paths[] =
	"SELECT id, parent, region FROM temp.call_path WHERE experiment = ?1 ORDER BY id";

static int take_region(void *arg, const struct cell *row, struct err *err)
{
	struct chooser *c = arg;
	(void)err;
	map_put(&c->region_by_id, (uint64_t)row[0].integer, 0, (uint32_t)c->region.n, NULL);
	*vec_push(&c->region) = (struct region){ row[0].integer, mem_string(row[1].text),
						 mem_string(row[2].text), mem_string(row[3].text),
						 row[4].integer };
	return 0;
}

static int take_path(void *arg, const struct cell *row, struct err *err)
{
	struct chooser *c = arg;
	uint32_t parent = map_get(&c->path_by_id, (uint64_t)row[1].integer, 0);
	uint32_t region = map_get(&c->region_by_id, (uint64_t)row[2].integer, 0);
	(void)err;
	if (region == MAP_NONE)
		return 0;
	map_put(&c->path_by_id, (uint64_t)row[0].integer, 0, (uint32_t)c->path.n, NULL);
	*vec_push(&c->path) = (struct path){ row[0].integer, region, parent };
	return 0;
}

/* -- names ------------------------------------------------------------------------------------- */

static bool is_named(const struct region *r, const char *text)
{
	const struct region_name name = { r->name, r->key, r->file, r->line };
	return region_is_named(&name, text);
}

/* Splits a name at a character, and drops blanks around the parts. */
static void split_name(struct chooser *c, const char *text, char separator)
{
	for (size_t length;; text += length + 1) {
		const char *end = strchr(text, separator);
		length = end ? (size_t)(end - text) : strlen(text);
		size_t blanks = strspn(text, " "), n = length > blanks ? length - blanks : 0;
		while (n && text[blanks + n - 1] == ' ')
			n--;
		if (n)
			*vec_push(&c->part) = mem_print("%.*s", (int)n, text + blanks);
		if (!end)
			break;
	}
}

/* Whether the parts name the last regions of the call path. */
static bool ends_in_parts(const struct chooser *c, uint32_t path)
{
	size_t n = c->part.n;
	while (n && path != MAP_NONE &&
	       is_named(&c->region.at[c->path.at[path].region], c->part.at[n - 1])) {
		path = c->path.at[path].parent;
		n--;
	}
	return n == 0;
}

/* Makes the error for a name that stands for nothing. It names the first part of the name that
 * names no region, or the whole name if there are no parts. */
static int fail_unknown(const struct chooser *c, const char *name, struct err *err)
{
	struct sis_suggestion near = { 0 };
	const char *unknown = c->part.n ? NULL : name;
	for (size_t k = 0; !unknown && k < c->part.n; k++) {
		size_t i = 0;
		while (i < c->region.n && !is_named(&c->region.at[i], c->part.at[k]))
			i++;
		unknown = i < c->region.n ? NULL : c->part.at[k];
	}
	for (size_t i = 0; unknown && i < c->region.n; i++)
		sis_suggest(&near, c->region.at[i].name, unknown, strlen(unknown));
	if (!unknown)
		return err_fail(err, "no call path ends in '%s' in this experiment; `sis-analyze "
				"regions --tree` draws them all", name);
	return err_fail(err, "no region '%s' in this experiment; %s%s%s`sis-analyze regions` lists "
			"them", unknown, near.name ? "did you mean '" : "",
			near.name ? near.name : "", near.name ? "'? " : "");
}

static int find_named(struct chooser *c, struct repo *repo, int64_t experiment, const char *name,
		      bool *by_path, struct err *err)
{
	static const char separators[] = { '>', '/' };
	if (repo_each(repo, take_region, c, err, regions, "i", experiment))
		return ERR_FAILED;
	for (size_t i = 0; i < c->region.n; i++)
		if (is_named(&c->region.at[i], name))
			*vec_push(&c->found) = c->region.at[i].id;
	if (!c->found.n && strcmp(name, "program") == 0) {
		int64_t root; /* id of the region that stands for the run itself */
		int rc = repo_number(repo, &root, err,
				     "SELECT region FROM drg_node WHERE experiment = ? "
				     "AND parent IS NULL ORDER BY id LIMIT 1", "i", experiment);
		if (rc == 1)
			*vec_push(&c->found) = root;
		return rc < 0 ? rc : 0;
	}
	for (size_t i = 0; !c->found.n && i < sizeof separators; i++) {
		if (!strchr(name, separators[i]))
			continue;
		if (!c->path.n && (call_paths_load(repo, experiment, err) ||
				   repo_each(repo, take_path, c, err, paths, "i", experiment)))
			return ERR_FAILED;
		while (c->part.n)
			free(c->part.at[--c->part.n]);
		split_name(c, name, separators[i]);
		for (uint32_t path = 0; c->part.n && path < c->path.n; path++)
			if (ends_in_parts(c, path))
				*vec_push(&c->found) = c->path.at[path].id;
		*by_path = true;
	}
	return 0;
}

/* -- temporary tables -------------------------------------------------------------------------- */

static const char *const tables[] = {
	"DROP TABLE IF EXISTS temp.chosen",
	"DROP TABLE IF EXISTS temp.chosen_node",
	"CREATE TEMP TABLE chosen (id INTEGER PRIMARY KEY, region INTEGER, name TEXT, title TEXT, "
	"file TEXT, line INTEGER, path TEXT)",
	"CREATE TEMP TABLE chosen_node (chosen INTEGER, node INTEGER, PRIMARY KEY (chosen, node)) "
	"WITHOUT ROWID",
};

#define CHOOSE \
	"INSERT OR IGNORE INTO temp.chosen (id, region, name, title, file, line, path) "

static const char all_regions[] =
	CHOOSE "SELECT r.id, r.id, r.name, r.name, r.file, r.line_start, NULL "
	"FROM region r "
	"WHERE r.id IN (SELECT s.region FROM drg_node n JOIN drg_node s ON s.id = n.source_node "
	"WHERE n.experiment = ?1)";
static const char one_region[] =
	CHOOSE "SELECT r.id, r.id, r.name, r.name, r.file, r.line_start, NULL "
	"FROM region r WHERE r.id = ?1";
static const char one_path[] =
	CHOOSE "SELECT p.id, r.id, r.name, p.name, r.file, r.line_start, p.path "
	"FROM temp.call_path p JOIN region r ON r.id = p.region WHERE p.id = ?1";

#define NODES_OF "INSERT OR IGNORE INTO temp.chosen_node (chosen, node) "
#define WITH_ALL_BELOW(top) \
	NODES_OF "WITH RECURSIVE below(chosen, node) AS (" top " UNION " \
	"SELECT b.chosen, n.id FROM below b JOIN drg_node n ON n.parent = b.node) " \
	"SELECT chosen, node FROM below"
/* CROSS JOIN makes SQLite read the nodes once and look up the region of each node in temp.chosen.
 * Otherwise SQLite would read all nodes for each chosen region. NODES_OF_SOURCES also has the nodes
 * that the runtime adds below a region. A region that the runtime itself adds has only its own
 * nodes. */
#define NODES_OF_REGIONS \
	"SELECT c.id, n.id FROM drg_node n CROSS JOIN temp.chosen c ON c.id = n.region " \
	"WHERE n.experiment = ?1"
#define NODES_OF_SOURCES \
	"SELECT c.id, n.id FROM drg_node n CROSS JOIN drg_node s ON s.id = n.source_node " \
	"CROSS JOIN temp.chosen c ON c.id = s.region WHERE n.experiment = ?1"
#define NODES_OF_PATHS \
	"SELECT c.id, f.node FROM temp.chosen c JOIN temp.call_path_of f ON f.call_path = c.id " \
	"WHERE ?1 > 0"

static const char *const nodes[2][2] = { /* by path, extent */
	{ WITH_ALL_BELOW(NODES_OF_REGIONS),
	  NODES_OF NODES_OF_SOURCES " UNION ALL " NODES_OF_REGIONS
	  " AND c.id NOT IN (SELECT o.region FROM drg_node o WHERE o.experiment = ?1 "
	  "AND o.source_node = o.id)" },
	{ WITH_ALL_BELOW(NODES_OF_PATHS), NODES_OF NODES_OF_PATHS },
};

static int choose(struct region_choice *choice, struct repo *repo, int64_t experiment,
		  const char *name, enum region_extent extent, bool must_exist, struct err *err)
{
	struct chooser c = { 0 };
	int rc = 0;
	*choice = (struct region_choice){ 0 };
	for (size_t i = 0; rc == 0 && i < sizeof tables / sizeof *tables; i++)
		rc = repo_run(repo, err, tables[i], "");
	if (rc == 0 && name)
		rc = find_named(&c, repo, experiment, name, &choice->by_path, err);
	else if (rc == 0)
		rc = repo_run(repo, err, all_regions, "i", experiment);
	if (rc == 0 && name && !c.found.n && must_exist)
		rc = fail_unknown(&c, name, err);
	for (size_t i = 0; rc == 0 && i < c.found.n; i++)
		rc = repo_run(repo, err, choice->by_path ? one_path : one_region, "i",
			      c.found.at[i]);
	rc = rc ? rc : repo_run(repo, err, nodes[choice->by_path][extent], "i", experiment);
	choice->n = c.found.n;
	for (size_t i = 0; i < c.region.n; i++)
		free(c.region.at[i].name), free(c.region.at[i].key), free(c.region.at[i].file);
	for (size_t i = 0; i < c.part.n; i++)
		free(c.part.at[i]);
	vec_free(&c.region), vec_free(&c.path), vec_free(&c.part), vec_free(&c.found);
	map_free(&c.region_by_id), map_free(&c.path_by_id);
	return rc;
}

int region_choice_load(struct region_choice *choice, struct repo *repo, int64_t experiment,
		       const char *name, enum region_extent extent, struct err *err)
{
	return choose(choice, repo, experiment, name, extent, true, err);
}

int region_choice_try(struct region_choice *choice, struct repo *repo, int64_t experiment,
		      const char *name, enum region_extent extent, struct err *err)
{
	return choose(choice, repo, experiment, name, extent, false, err);
}

void region_choice_print(const struct region_choice *choice, const char *name)
{
	if (choice->n < 2)
		return;
	putchar('\n');
	if (choice->by_path)
		escape_line(stdout, "%zu call paths end in '%s'; a longer end names one of them.",
			    choice->n, name);
	else
		escape_line(stdout, "%zu regions are named '%s'; NAME@LINE, FILE:LINE or a call "
			    "path names one of them.", choice->n, name);
}
