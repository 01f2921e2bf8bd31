/* SPDX-License-Identifier: BSD-3-Clause */
/* traced_run.c - see traced_run.h. One thread.
 *
 * A node of the model and a node of the repository are the same if their parents and their regions
 * are the same. So the rows of an experiment are found even if another program or version stored
 * them with other ids. */
#include "answers/query/traced_run.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/escape.h"
#include "repository/import/run_directory.h"

static int take_directory(void *arg, const struct cell *row, struct err *err)
{
	(void)err;
	*(char **)arg = mem_string(row[0].kind == CELL_TEXT ? row[0].text : "");
	return 0;
}

static int find_directory(char **directory, struct repo *repo, int64_t experiment,
			  struct err *err)
{
	*directory = NULL;
	int rc = repo_each(repo, take_directory, directory, err,
			   "SELECT directory FROM experiment WHERE id = ?", "i", experiment);
	if (rc == 0 && !*directory)
		*directory = mem_string("");
	return rc;
}

static int open_traces(struct traces *traces, const char *directory, const char *command,
		       struct err *err)
{
	traces_open(traces, directory);
	if (traces->trace.n)
		return 0;
	if (traces->unreadable.n)
		return err_fail(err, "%s", traces->unreadable.at[0]);
	return traces->unwritten ?
		err_fail(err, "%s: the traces in '%s' are empty: their processes were killed "
			 "while they started; run the program again", command, directory) :
		err_fail(err, "%s: no trace in '%s', and only a trace knows when things happened; "
			 "run the program with SIS_TRACE=1", command, directory);
}

bool traced_run_exists(struct repo *repo, int64_t experiment)
{
	char *directory;
	struct traces traces;
	struct err err = { 0 };
	if (find_directory(&directory, repo, experiment, &err) != 0)
		return false;
	traces_open(&traces, directory);
	bool exists = traces.trace.n > 0;
	traces_release(&traces);
	free(directory);
	return exists;
}

/* -- rows -------------------------------------------------------------------------------------- */

struct finding {
	struct traced_run *run;
	struct strmap node; /* "parent type key file" -> node of the model */
	struct map node_of_id; /* drg_node.id -> node of the model */
};

/* A text that identifies a node. `parent` is a node of the model; NONE: the node is the root. */
static char *identity(uint32_t parent, const char *type, const char *key, const char *file)
{
	return mem_print("%" PRIu32 " %s %s %s", parent, type, key, file);
}

enum { NODE_ID, NODE_PARENT, NODE_TYPE, NODE_KEY, NODE_FILE };
static const char nodes[] =
	"SELECT n.id, coalesce(n.parent, 0), r.type, c.key, r.file "
	"FROM drg_node n "
	"JOIN region r ON r.id = n.region "
	"JOIN code_region c ON c.id = n.region "
	"WHERE n.experiment = ? "
	"ORDER BY n.depth, n.id";

static int take_node(void *arg, const struct cell *row, struct err *err)
{
	struct finding *f = arg;
	(void)err;
	uint32_t parent = row[NODE_PARENT].integer ?
		map_get(&f->node_of_id, (uint64_t)row[NODE_PARENT].integer, 0) :
		NONE;
	if (row[NODE_PARENT].integer && parent == MAP_NONE)
		return 0;
	char *key = identity(parent, row[NODE_TYPE].text, row[NODE_KEY].text,
			     row[NODE_FILE].text);
	uint32_t node = strmap_get(&f->node, key);
	free(key);
	if (node != MAP_NONE) {
		map_put(&f->node_of_id, (uint64_t)row[NODE_ID].integer, 0, node, NULL);
		f->run->node.at[node] = row[NODE_ID].integer;
	}
	return 0;
}

static int take_pu(void *arg, const struct cell *row, struct err *err)
{
	struct traced_run *run = arg;
	const struct experiment_model *m = &run->x.model;
	int64_t process = row[1].integer, slot = row[2].integer;
	(void)err;
	if (process >= 0 && process < (int64_t)m->process.n && slot >= 0 &&
	    slot < m->process.at[process].slots)
		run->pu.at[m->process.at[process].first_pu + slot] = row[0].integer;
	return 0;
}

static int find_rows(struct traced_run *run, struct repo *repo, int64_t experiment,
		     struct err *err)
{
	struct finding f = { .run = run };
	const struct experiment_model *m = &run->x.model;
	vec_alloc(&run->node, m->node.n);
	vec_alloc(&run->pu, m->pu.n);
	for (uint32_t i = 0; i < m->node.n; i++) {
		const struct region *r = model_region(m, i);
		char *key = identity(m->node.at[i].parent, sis_region_table[r->type].name, r->key,
				     r->file);
		strmap_put(&f.node, key, i, NULL);
		free(key);
	}
	int rc = repo_each(repo, take_node, &f, err, nodes, "i", experiment);
	rc = rc ? rc : repo_each(repo, take_pu, run, err,
				 "SELECT id, process, thread FROM processing_unit "
				 "WHERE experiment = ?", "i", experiment);
	strmap_free(&f.node);
	map_free(&f.node_of_id);
	return rc;
}

/* -- open and release -------------------------------------------------------------------------- */

int traced_run_open(struct traced_run *run, struct repo *repo, int64_t experiment,
		    const char *command, struct err *err)
{
	char *directory;
	*run = (struct traced_run){ 0 };
	if (find_directory(&directory, repo, experiment, err))
		return ERR_FAILED;
	int rc = open_traces(&run->traces, directory, command, err);
	rc = rc ? rc : experiment_read(&run->x, directory, err);
	free(directory);
	if (rc) {
		traces_release(&run->traces);
		return rc;
	}
	rc = find_rows(run, repo, experiment, err);
	if (rc)
		traced_run_release(run);
	return rc;
}

int traced_run_clip(const struct traced_run *run, int64_t from_ns, int64_t *to_ns,
		    const char *command, struct err *err)
{
	int64_t t_p = experiment_t_p(&run->x);
	*to_ns = *to_ns < 0 || *to_ns > t_p ? t_p : *to_ns;
	return from_ns < t_p ?
		0 :
		err_fail(err, "%s: the run ended after %.6f s; write an earlier time with --from",
			 command, (double)t_p / 1e9);
}

void traced_run_release(struct traced_run *run)
{
	experiment_release(&run->x);
	traces_release(&run->traces);
	vec_free(&run->node);
	vec_free(&run->pu);
}

void traced_run_warn(const struct traced_run *run, uint64_t unknown)
{
	const struct traces *traces = &run->traces;
	uint64_t dropped = 0, damaged = 0;
	for (size_t i = 0; i < traces->trace.n; i++) {
		dropped += traces->trace.at[i].dropped + traces->trace.at[i].end.lost_events;
		damaged += traces->trace.at[i].damaged;
	}
	if (dropped)
		fprintf(stderr, "sis-analyze: warning: %" PRIu64 " events of the trace were not "
			"kept: see `sis-analyze show`\n", dropped);
	if (damaged)
		fprintf(stderr, "sis-analyze: warning: %" PRIu64 " places of the trace are damaged "
			"and left out\n", damaged);
	if (traces->unwritten)
		fprintf(stderr, "sis-analyze: warning: %zu traces are empty and left out: their "
			"processes were killed while they started\n", traces->unwritten);
	for (size_t i = 0; i < traces->unreadable.n; i++)
		escape_line(stderr, "sis-analyze: warning: %s; its process is left out",
			    traces->unreadable.at[i]);
	if (unknown)
		fprintf(stderr, "sis-analyze: warning: %" PRIu64 " traces have no profile beside "
			"them and are left out\n", unknown);
}
