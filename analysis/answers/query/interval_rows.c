/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_rows.c - see interval_rows.h. One thread. */
#include "answers/query/interval_rows.h"

#include "answers/query/traced_run.h"
#include "experiment/timeline/interval_times.h"

static int add_rows(struct repo *repo, const struct traced_run *run,
		    const struct interval_times *times, struct err *err)
{
	static const struct rows_form form = {
		"INSERT INTO temp.region_summary (drg_node, pu, calls, subs, incl_ns, excl_ns)",
		"", "iiiiii"
	};
	struct rows *rows;
	int rc = rows_open(repo, &rows, &form, err);
	for (size_t i = 0; rc == 0 && i < times->time.n; i++) {
		const struct interval_time *t = &times->time.at[i];
		int64_t node = run->node.at[t->node], pu = run->pu.at[t->pu];
		if (node && pu)
			rc = rows_add(rows, err, node, pu, (int64_t)t->calls, (int64_t)t->subs,
				      t->incl_ns, t->excl_ns);
	}
	rc = rc ? rc : rows_end(rows, err);
	rows_close(rows);
	return rc;
}

int interval_rows_load(struct repo *repo, int64_t experiment, int64_t from_ns, int64_t to_ns,
		       const char *command, struct interval_gaps *gaps, struct err *err)
{
	struct traced_run run;
	struct interval_times times;
	if (traced_run_open(&run, repo, experiment, command, err))
		return ERR_FAILED;
	interval_times_read(&times, &run.x, &run.traces, from_ns, to_ns);
	traced_run_warn(&run, times.traces_without_profile);
	*gaps = (struct interval_gaps){ 0 };
	for (size_t i = 0; i < times.unknown_ns.n; i++) {
		gaps->ns += times.unknown_ns.at[i];
		gaps->units += times.unknown_ns.at[i] > 0;
	}
	int rc = repo_run(repo, err, "DROP TABLE IF EXISTS temp.region_summary", "");
	rc = rc ? rc : repo_run(repo, err,
				"CREATE TEMP TABLE region_summary (drg_node INTEGER, "
				"pu INTEGER, calls INTEGER, subs INTEGER, incl_ns INTEGER, "
				"excl_ns INTEGER, PRIMARY KEY (drg_node, pu))", "");
	rc = rc ? rc : add_rows(repo, &run, &times, err);
	interval_times_release(&times);
	traced_run_release(&run);
	return rc;
}
