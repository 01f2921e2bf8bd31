/* SPDX-License-Identifier: BSD-3-Clause */
/* chosen_overheads.c - see chosen_overheads.h. Owns its temporary tables; one thread. There are
 * many bookings, so they are first added up by region, processing unit and leaf. Inner nodes of the
 * overhead tree are computed from these few sums. */
#include "answers/query/chosen_overheads.h"

static const char *const tables[] = {
	"DROP TABLE IF EXISTS temp.chosen_reference",
	"DROP TABLE IF EXISTS temp.chosen_part",
	"CREATE TEMP TABLE chosen_reference (chosen INTEGER, part INTEGER)",
	"CREATE TEMP TABLE chosen_part (chosen INTEGER, pu INTEGER, leaf TEXT, ns INTEGER)",
};

/* -- what the reference runs explain ----------------------------------------------------------- */

/* If all regions are listed, each part belongs to the region where it arose. Regions that only the
 * reference run has, or that the runtime adds, are listed, too. */
static const char add_regions_of_references[] =
	"INSERT INTO temp.chosen (id, region, name, title, file, line) "
	"SELECT -min(rowid), region, name, name, file, line FROM temp.reference_part "
	"WHERE region NOT IN (SELECT id FROM temp.chosen) GROUP BY region, name";

#define REFERENCES "INSERT INTO temp.chosen_reference (chosen, part) "
/* ?1 experiment */
static const char references_of_regions[] =
	REFERENCES "SELECT c.id, p.rowid FROM temp.reference_part p "
	"JOIN temp.chosen c ON c.region = p.region AND (c.region > 0 OR c.name = p.name) "
	"WHERE ?1 > 0";
/* A part belongs to all regions and call paths that contain all nodes of its call path. */
static const char references_inside[] =
	REFERENCES "SELECT c.chosen, p.rowid FROM temp.reference_part p "
	"JOIN (SELECT g.chosen, q.path_id, count(*) AS nodes FROM temp.chosen_node g "
	"JOIN temp.reference_node q ON q.node = g.node GROUP BY g.chosen, q.path_id) c "
	"ON c.path_id = p.path_id "
	"WHERE ?1 > 0 AND c.nodes = "
	"(SELECT count(*) FROM temp.reference_node m WHERE m.path_id = p.path_id)";
/* A part that only the reference run has belongs to the whole run. */
static const char references_of_run[] =
	REFERENCES "SELECT g.chosen, p.rowid FROM temp.reference_part p "
	"JOIN drg_node n ON n.experiment = ?1 AND n.parent IS NULL "
	"JOIN temp.chosen_node g ON g.node = n.id "
	"WHERE p.path_id NOT IN (SELECT path_id FROM temp.reference_node)";

int chosen_overheads_load(struct region_choice *choice, struct repo *repo, int64_t experiment,
			  const struct overhead_choice *o, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < sizeof tables / sizeof *tables; i++)
		rc = repo_run(repo, err, tables[i], "");
	rc = rc ? rc : region_choice_load(choice, repo, experiment, o->region, o->extent, err);
	if (rc || !o->references)
		return rc;
	if (!o->region && o->extent == REGION_EXCLUSIVE)
		rc = repo_run(repo, err, add_regions_of_references, "");
	if (o->extent == REGION_EXCLUSIVE && !choice->by_path)
		return rc ? rc : repo_run(repo, err, references_of_regions, "i", experiment);
	rc = rc ? rc : repo_run(repo, err, references_inside, "i", experiment);
	if (rc == 0 && o->extent == REGION_INCLUSIVE)
		rc = repo_run(repo, err, references_of_run, "i", experiment);
	return rc;
}

/* -- rows -------------------------------------------------------------------------------------- */

/* ?1 overhead or null. */
#define WANTED(leaf) \
	"(?1 IS NULL OR " leaf " IN (SELECT leaf FROM overhead_ancestor WHERE name = ?1)) "
static const char *const fill[] = {
	"INSERT INTO temp.chosen_part SELECT c.chosen, o.pu, o.leaf, sum(o.ns) "
	"FROM temp.chosen_node c JOIN overhead o ON o.drg_node = c.node "
	"WHERE o.pu IN (SELECT pu FROM temp.chosen_pu) AND " WANTED("o.leaf")
	"GROUP BY c.chosen, o.pu, o.leaf",
	"INSERT INTO temp.chosen_part SELECT c.chosen, NULL, p.leaf, p.ns "
	"FROM temp.chosen_reference c JOIN temp.reference_part p ON p.rowid = c.part "
	"WHERE " WANTED("p.leaf"),
};

/* ?1 overhead. A user who names a region and an overhead gets its value even if it is 0. */
static const char fill_zeros[] =
	"INSERT INTO temp.chosen_part SELECT c.id, u.pu, "
	"(SELECT min(leaf) FROM overhead_ancestor WHERE name = ?1), 0 "
	"FROM temp.chosen c JOIN temp.chosen_pu u";

/* ?1 overhead or null, ?2 whether by processing unit, ?3 units, ?4 whether zeros are shown. */
#define ROWS \
	"SELECT u.process, u.thread, c.name, c.title, c.file, c.line, a.name, " \
	"(sum(p.ns) + ?3 / 2) / ?3 AS seconds, c.path " \
	"FROM temp.chosen_part p " \
	"JOIN temp.chosen c ON c.id = p.chosen " \
	"JOIN overhead_ancestor a ON a.leaf = p.leaf AND (?1 IS NULL OR a.name = ?1) " \
	"JOIN overhead_kind k ON k.name = a.name " \
	"LEFT JOIN processing_unit u ON ?2 AND u.id = p.pu " \
	"GROUP BY c.id, u.id, a.name " \
	"HAVING ?4 OR sum(p.ns) <> 0 "
static const char by_place[] =
	ROWS "ORDER BY u.process, u.thread, c.file, c.line, c.id, k.place";
static const char by_size[] = ROWS "ORDER BY seconds DESC, c.id, u.process, u.thread";

int chosen_overheads_each(struct repo *repo, const struct overhead_choice *o, int64_t units,
			  repo_take *take, void *arg, struct err *err)
{
	const char *name = o->overhead ? sis_overhead_table[o->overhead].name : NULL;
	for (size_t i = 0; i < sizeof fill / sizeof *fill; i++)
		if (repo_run(repo, err, fill[i], "t", name))
			return ERR_FAILED;
	bool one = o->region && name;
	if (one && repo_run(repo, err, fill_zeros, "t", name))
		return ERR_FAILED;
	return repo_each(repo, take, arg, err, o->region ? by_place : by_size, "tiii", name,
			 (int64_t)o->by_pu, units, (int64_t)one);
}
