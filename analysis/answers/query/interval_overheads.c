/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_overheads.c - see interval_overheads.h. Owns temp.overhead; one thread. SQLite looks for
 * a table in temp first, so the statements for the whole run work for an interval, too. */
#include "answers/query/interval_overheads.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "experiment/causes/delay.h"
#include "experiment/causes/interval_costs.h"
#include "answers/query/interval_causes.h"
#include "answers/query/pu_choice.h"
#include "answers/query/traced_leaves.h"
#include "answers/query/traced_run.h"
#include "repository/database/pu_leaves.h"

static int add_rows(struct repo *repo, const struct traced_run *run,
		    const struct interval_leaves *leaves, struct err *err)
{
	static const struct rows_form form = {
		"INSERT INTO temp.overhead (drg_node, pu, leaf, ns)", "", "iiti"
	};
	struct rows *rows;
	int rc = rows_open(repo, &rows, &form, err);
	for (size_t i = 0; rc == 0 && i < leaves->leaf.n; i++) {
		const struct interval_leaf *l = &leaves->leaf.at[i];
		int64_t node = run->node.at[l->node], pu = run->pu.at[l->pu];
		if (l->leaf != O_NONE && node && pu)
			rc = rows_add(rows, err, node, pu, sis_overhead_table[l->leaf].name,
				      l->ns);
	}
	rc = rc ? rc : rows_end(rows, err);
	rows_close(rows);
	return rc ? rc : repo_run(repo, err, "CREATE INDEX temp.overhead_node ON overhead "
				  "(drg_node)", "");
}

/* -- sums -------------------------------------------------------------------------------------- */

static void add_sums(struct interval_overheads *o, const struct traced_run *run,
		     const struct interval_leaves *leaves, const struct map *chosen)
{
	size_t units = run->x.model.pu.n;
	bool *counts = mem_alloc(units + 1, sizeof *counts);
	int64_t *sum = mem_alloc(units + 1, sizeof *sum);
	for (size_t pu = 0; pu < units; pu++)
		counts[pu] = map_get(chosen, (uint64_t)run->pu.at[pu], 0) != MAP_NONE;
	for (size_t i = 0; i < leaves->leaf.n; i++) {
		const struct interval_leaf *l = &leaves->leaf.at[i];
		sum[l->pu] += l->ns;
		if (counts[l->pu])
			*(l->leaf == O_NONE ? &o->useful_ns : &o->leaves_ns) += l->ns;
	}
	for (size_t pu = 0; pu < units; pu++) {
		int64_t error = llabs(o->to_ns - o->from_ns - sum[pu]);
		o->identity_error = error > o->identity_error ? error : o->identity_error;
		o->uncertain_ns += counts[pu] ? leaves->uncertain_ns.at[pu] : 0;
		o->gaps.ns += counts[pu] ? leaves->unknown_ns.at[pu] : 0;
		o->gaps.units += counts[pu] && leaves->unknown_ns.at[pu] > 0;
	}
	free(counts), free(sum);
}

/* -- the run ----------------------------------------------------------------------------------- */

/* Replaces x->causes by the causes in the interval. */
static void find_causes(struct experiment *x, const struct interval_overheads *o,
			const struct interval_leaves *leaves, const struct thread_waits *threads)
{
	struct cost_pieces costs = {
		.from = clamp_add(x->model.start_ns, o->from_ns),
		.to = clamp_add(x->model.start_ns, o->to_ns),
	};
	x->causes.interval = &costs;
	delay_costs_find(x, &x->causes, threads, &x->warning);
	interval_costs_finish(&costs, x, &x->causes, leaves);
	x->causes.interval = NULL;
	cost_pieces_release(&costs);
}

static int fill_table(struct interval_overheads *o, struct repo *repo, struct traced_run *run,
		struct err *err)
{
	struct interval_leaves leaves;
	struct traced_leaves sources;
	struct map chosen = { 0 };
	traced_leaves_init(&sources, &run->x);
	interval_leaves_find(&leaves, &sources.waits, &sources.timelines, &run->traces, o->from_ns,
			     o->to_ns);
	if (o->with_causes)
		find_causes(&run->x, o, &leaves, &sources.threads);
	traced_leaves_release(&sources);
	traced_run_warn(run, leaves.traces_without_profile);
	int rc = pu_choice_map(repo, &chosen, err);
	rc = rc ? rc : repo_run(repo, err, "DROP TABLE IF EXISTS temp.overhead", "");
	rc = rc ? rc : repo_run(repo, err,
				"CREATE TEMP TABLE overhead (drg_node INTEGER, pu INTEGER, "
				"leaf TEXT, ns INTEGER)", "");
	rc = rc ? rc : pu_leaves_forget(repo, err);
	rc = rc ? rc : add_rows(repo, run, &leaves, err);
	if (rc == 0 && o->with_causes)
		rc = interval_causes_store(repo, run, err);
	if (rc == 0)
		add_sums(o, run, &leaves, &chosen);
	map_free(&chosen);
	interval_leaves_release(&leaves);
	return rc;
}

int interval_overheads_load(struct interval_overheads *o, struct repo *repo, int64_t experiment,
			    const char *command, struct err *err)
{
	struct traced_run run;
	*o = (struct interval_overheads){
		.from_ns = o->from_ns, .to_ns = o->to_ns, .with_causes = o->with_causes
	};
	if (traced_run_open(&run, repo, experiment, command, err))
		return ERR_FAILED;
	int rc = traced_run_clip(&run, o->from_ns, &o->to_ns, command, err);
	rc = rc ? rc : fill_table(o, repo, &run, err);
	traced_run_release(&run);
	return rc;
}
