/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_messages.c - see interval_messages.h. Owns temp.message; one thread. SQLite looks for a
 * table in temp first, so the statements for the whole run work for an interval, too. */
#include "answers/query/interval_messages.h"

#include <stdlib.h>

#include "experiment/match/match.h"
#include "answers/query/traced_run.h"
#include "experiment/timeline/traffic_times.h"

/* -- communicators ----------------------------------------------------------------------------- */

typedef VEC(int64_t) communicators; /* communicator.id by number; 0: the repository has none */

static int take_communicator(void *arg, const struct cell *row, struct err *err)
{
	communicators *list = arg;
	(void)err;
	while (row[0].integer >= 0 && list->n <= (size_t)row[0].integer)
		*vec_push(list) = 0;
	if (row[0].integer >= 0)
		list->at[row[0].integer] = row[1].integer;
	return 0;
}

/* -- rows -------------------------------------------------------------------------------------- */

static int add_rows(struct repo *repo, const struct traced_run *run,
		    const struct traffic_parts *parts, const communicators *list, struct err *err)
{
	static const struct rows_form form = {
		"INSERT INTO temp.message (drg_node, pu, communicator, target, calls, bytes, ns, "
		"receive_ns, estimated)",
		"", "iiiiiiiii"
	};
	struct rows *rows;
	int rc = rows_open(repo, &rows, &form, err);
	for (size_t i = 0; rc == 0 && i < parts->part.n; i++) {
		const struct traffic *t = &parts->part.at[i];
		int64_t node = run->node.at[t->node], pu = run->pu.at[t->pu],
			communicator = t->communicator < list->n ? list->at[t->communicator] : 0;
		if (!node || !pu || !communicator || (!t->calls && !t->ns && !t->receive_ns))
			continue;
		rc = rows_add(rows, err, node, pu, communicator,
			      t->target == NONE ? (int64_t)-1 : (int64_t)t->target,
			      (int64_t)t->calls, (int64_t)t->bytes, t->ns, t->receive_ns,
			      (int64_t)t->estimated);
	}
	rc = rc ? rc : rows_end(rows, err);
	rows_close(rows);
	return rc ? rc : repo_run(repo, err, "CREATE INDEX temp.message_node ON message "
				  "(drg_node)", "");
}

/* -- the run ----------------------------------------------------------------------------------- */

static int fill_table(struct interval_messages *m, struct repo *repo, struct traced_run *run,
		      int64_t experiment, int64_t from_ns, int64_t to_ns, struct err *err)
{
	struct experiment *x = &run->x;
	traffic_times times;
	struct traffic_parts parts;
	communicators list = { 0 };
	x->match.keeps_traffic_calls = true;
	match_waits(x, &x->match, &x->warning); /* the import has stored the warnings */
	traffic_times_list(&times, x, &run->traces);
	traffic_parts_find(&parts, x, &times, from_ns, to_ns);
	vec_free(&times);
	bool *grown = traffic_list_grown(x);
	*m = (struct interval_messages){ 0 };
	for (size_t i = 0; i < parts.part.n; i++) {
		const struct traffic *t = &parts.part.at[i];
		m->grown_calls += grown[i] ? (int64_t)t->calls : 0;
		m->divided_bytes += !grown[i] && t->target == NONE && t->estimated ?
			(int64_t)t->bytes : 0;
	}
	free(grown);
	int rc = repo_each(repo, take_communicator, &list, err,
			   "SELECT number, id FROM communicator WHERE experiment = ?", "i",
			   experiment);
	rc = rc ? rc : repo_run(repo, err, "DROP TABLE IF EXISTS temp.message", "");
	rc = rc ? rc : repo_run(repo, err,
				"CREATE TEMP TABLE message (drg_node INTEGER, pu INTEGER, "
				"communicator INTEGER, target INTEGER, calls INTEGER, "
				"bytes INTEGER, ns INTEGER, receive_ns INTEGER, "
				"estimated INTEGER)", "");
	rc = rc ? rc : add_rows(repo, run, &parts, &list, err);
	vec_free(&list);
	traffic_parts_release(&parts);
	return rc;
}

/* The times of messages are in the profiles, but a trace is needed all the same: without a trace,
 * the measurement of short calls may be turned down, and then calls have no records. */
int interval_messages_load(struct repo *repo, int64_t experiment, int64_t from_ns, int64_t to_ns,
			   const char *command, struct interval_messages *m, struct err *err)
{
	struct traced_run run;
	if (traced_run_open(&run, repo, experiment, command, err))
		return ERR_FAILED;
	int rc = traced_run_clip(&run, from_ns, &to_ns, command, err);
	rc = rc ? rc : fill_table(m, repo, &run, experiment, from_ns, to_ns, err);
	traced_run_release(&run);
	return rc;
}
