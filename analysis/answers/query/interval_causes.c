/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_causes.c - see interval_causes.h. Owns temp.delay and temp.wait_pair; one thread. Both
 * tables have the columns of the stored tables of the same names, which
 * repository/store/store_measured.c fills. */
#include "answers/query/interval_causes.h"

static const char *const tables[] = {
	"DROP TABLE IF EXISTS temp.delay",
	"DROP TABLE IF EXISTS temp.wait_pair",
	"CREATE TEMP TABLE delay (drg_node INTEGER, leaf TEXT, culprit INTEGER, "
	"culprit_node INTEGER, ns INTEGER, passed_ns INTEGER, indirect_ns INTEGER, "
	"wrong_order_ns INTEGER, estimated_ns INTEGER, no_processor_ns INTEGER)",
	"CREATE TEMP TABLE wait_pair (drg_node INTEGER, leaf TEXT, culprit INTEGER, "
	"culprit_node INTEGER, victim INTEGER, ns INTEGER)",
	"CREATE INDEX temp.delay_node ON delay (drg_node)",
	"CREATE INDEX temp.wait_pair_node ON wait_pair (drg_node)",
};

/* The ids of the rows that a cost refers to. */
struct cost_ids { int64_t node, culprit, culprit_node; };

/* Returns false if the repository lacks one of the rows, or the culprit is not known. */
static bool find_ids(struct cost_ids *id, const struct traced_run *run, const struct delay_cost *d)
{
	if (d->culprit == NONE || d->culprit_node == NONE)
		return false;
	*id = (struct cost_ids){ run->node.at[d->node], run->pu.at[d->culprit],
				 run->node.at[d->culprit_node] };
	return id->node && id->culprit && id->culprit_node;
}

static int add_delays(struct repo *repo, const struct traced_run *run, struct err *err)
{
	static const struct rows_form form = {
		"INSERT INTO temp.delay (drg_node, leaf, culprit, culprit_node, ns, passed_ns, "
		"indirect_ns, wrong_order_ns, estimated_ns, no_processor_ns)",
		"", "itiiiiiiii"
	};
	const struct experiment_causes *c = &run->x.causes;
	struct rows *rows;
	int rc = rows_open(repo, &rows, &form, err);
	for (size_t i = 0; rc == 0 && i < c->delay_cost.n; i++) {
		const struct delay_cost *d = &c->delay_cost.at[i];
		struct cost_ids id;
		if (find_ids(&id, run, d) && (d->ns || d->indirect_ns))
			rc = rows_add(rows, err, id.node, sis_overhead_table[d->leaf].name,
				      id.culprit, id.culprit_node, d->ns, d->passed_ns,
				      d->indirect_ns, d->wrong_order_ns, d->estimated_ns,
				      d->no_processor_ns);
	}
	rc = rc ? rc : rows_end(rows, err);
	rows_close(rows);
	return rc;
}

static int add_pairs(struct repo *repo, const struct traced_run *run, struct err *err)
{
	static const struct rows_form form = {
		"INSERT INTO temp.wait_pair (drg_node, leaf, culprit, culprit_node, victim, ns)",
		"", "itiiii"
	};
	const struct experiment_causes *c = &run->x.causes;
	struct rows *rows;
	int rc = rows_open(repo, &rows, &form, err);
	for (size_t i = 0; rc == 0 && i < c->wait_pair.n; i++) {
		const struct wait_pair *w = &c->wait_pair.at[i];
		const struct delay_cost *d = &c->delay_cost.at[w->cost];
		int64_t victim = w->victim == NONE ? 0 : run->pu.at[w->victim];
		struct cost_ids id;
		if (find_ids(&id, run, d) && (victim || w->victim == NONE) && w->ns)
			rc = rows_add(rows, err, id.node, sis_overhead_table[d->leaf].name,
				      id.culprit, id.culprit_node, victim, w->ns);
	}
	rc = rc ? rc : rows_end(rows, err);
	rows_close(rows);
	return rc;
}

int interval_causes_store(struct repo *repo, const struct traced_run *run, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < sizeof tables / sizeof *tables; i++)
		rc = repo_run(repo, err, tables[i], "");
	rc = rc ? rc : add_delays(repo, run, err);
	return rc ? rc : add_pairs(repo, run, err);
}
