/* SPDX-License-Identifier: BSD-3-Clause */
/* pu_leaves.c - sums the leaves of each processing unit into a temporary table. Owns that table.
 * Called by one thread. The table has the same rows as view overhead_leaf_by_pu. Statements read
 * the table, because the GROUP BY of the view would sort millions of rows for a few thousand sums.
 * Here, each row is added to its sum without sorting. */
#include "repository/database/pu_leaves.h"

#include <stdlib.h>

#include "base/clamp.h"

struct sums {
	struct strmap names;
	VEC(int64_t) pu;      /* ids */
	struct map by_pu;     /* from id to index in `pu` */
	VEC(int64_t) ns;      /* SIS_OVERHEADS times for each PU */
	/* index of the PU of the last row, because successive rows often have the same PU */
	uint32_t last;
};

struct strmap overhead_names(void)
{
	struct strmap names = { 0 };
	for (int i = 1; i < SIS_OVERHEADS; i++)
		strmap_put(&names, sis_overhead_table[i].name, i, NULL);
	return names;
}

int overhead_known(const struct strmap *names, const char *name, enum sis_overhead *leaf,
		   struct err *err)
{
	*leaf = overhead_named(names, name);
	return *leaf != O_NONE ?
		0 :
		err_fail(err, "overhead '%s' is unknown here; use the sis-analyze that imported "
			 "the experiment", name ? name : "");
}

static int take_leaf(void *arg, const struct cell *row, struct err *err)
{
	struct sums *s = arg;
	enum sis_overhead leaf;
	if (overhead_known(&s->names, row[1].text, &leaf, err))
		return ERR_FAILED;
	if (s->last >= s->pu.n || s->pu.at[s->last] != row[0].integer) {
		bool fresh;
		s->last = map_put(&s->by_pu, (uint64_t)row[0].integer, 0, s->pu.n, &fresh);
		if (fresh)
			*vec_push(&s->pu) = row[0].integer;
		for (int i = 0; fresh && i < SIS_OVERHEADS; i++)
			*vec_push(&s->ns) = 0;
	}
	int64_t *sum = &s->ns.at[(size_t)s->last * SIS_OVERHEADS + leaf];
	*sum = clamp_add(*sum, row[2].integer);
	return 0;
}

int pu_leaves_load(struct repo *repo, int64_t experiment, struct err *err)
{
	static const struct rows_form form = {
		"INSERT OR FAIL INTO temp.pu_leaf (experiment, pu, leaf, ns)", "", "iiti"
	};
	struct rows *rows = NULL;
	struct sums s = { .names = overhead_names() };
	int64_t known = 0;
	int rc = repo_run(
		repo, err,
		"CREATE TEMP TABLE IF NOT EXISTS pu_leaf "
		"(experiment INTEGER, pu INTEGER, leaf TEXT, ns INTEGER, "
		"PRIMARY KEY (experiment, pu, leaf)) WITHOUT ROWID",
		"");
	if (rc == 0)
		rc = repo_number(repo, &known, err,
				 "SELECT 1 FROM temp.pu_leaf WHERE experiment = ? LIMIT 1", "i",
				 experiment);
	if (rc == 0)
		rc = repo_each(
			repo, take_leaf, &s, err,
			"SELECT o.pu, o.leaf, o.ns "
			"FROM drg_node n "
			"JOIN overhead o ON o.drg_node = n.id "
			"WHERE n.experiment = ?",
			"i", experiment);
	rc = rc ? rc : rows_open(repo, &rows, &form, err);
	for (size_t u = 0; rc == 0 && u < s.pu.n; u++)
		for (int leaf = 1; rc == 0 && leaf < SIS_OVERHEADS; leaf++) {
			int64_t ns = s.ns.at[u * SIS_OVERHEADS + leaf];
			if (ns)
				rc = rows_add(rows, err, experiment, s.pu.at[u],
					      sis_overhead_table[leaf].name, ns);
		}
	rc = rc ? rc : rows_end(rows, err);
	rows_close(rows);
	strmap_free(&s.names), map_free(&s.by_pu);
	vec_free(&s.pu), vec_free(&s.ns);
	return rc < 0 ? rc : 0;
}

int pu_leaves_forget(struct repo *repo, struct err *err)
{
	return repo_run(repo, err, "DROP TABLE IF EXISTS temp.pu_leaf", "");
}
