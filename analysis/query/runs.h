/* SPDX-License-Identifier: BSD-3-Clause */
/* runs.h - several experiments, in sets. */
#ifndef SIS_ANALYSIS_RUNS_H
#define SIS_ANALYSIS_RUNS_H

#include "repository/repository.h"

struct run {
	int64_t id, p, t_p_ns, version, processes;
	/* set: the value of the key that groups them; of several keys `KEY=VALUE, KEY=VALUE`; ""
	 * without a key */
	char *name, *set, *application, *command; /* command: "" if it is not known */
	/* what it computed: `problem` or `size` of --set, else its arguments; "": it has none */
	char *problem;
	bool sequential;
	bool everywhere;  /* sequential, and nothing says to which set it belongs */
};
typedef VEC(struct run) run_list;

/* Whether two runs are of the same build, command, p and number of processes. */
bool runs_repeat(const struct run *a, const struct run *b);
/* Checks that all runs are of one application. */
int runs_check_application(const run_list *runs, const char *command, struct err *err);
/* Loads an experiment. `keys`, comma-separated: each is one of --set, or a value that every
 * experiment has (RUN_KEYS); NULL: there is one set. */
int run_load(struct run *run, struct repo *repo, int64_t id, const char *keys, struct err *err);
/* Makes sets of runs with the same problem; there is one set if all have the same. */
void runs_separate(run_list *runs);
/* Puts the runs that belong to every set into each. */
int runs_spread(run_list *runs, struct repo *repo, struct err *err);
/* Adds an experiment that is not in the list yet. */
int runs_add(run_list *runs, struct repo *repo, int64_t id, const char *keys, struct err *err);
/* Adds all complete experiments of the same application. */
int runs_add_of_application(run_list *runs, struct repo *repo, int64_t id, const char *keys,
			    struct err *err);
/* Adds all complete experiments of the same version, command and p. */
int runs_add_repetitions(run_list *runs, struct repo *repo, int64_t id, struct err *err);
void runs_release(run_list *runs);

#define RUN_KEYS \
	"application, version, compiler, flags, program, command, arguments, problem, role, p, " \
	"processes, threads, nodes, host, network"
/* SQL: the arguments and the problem of experiment `e`. */
#define RUN_ARGUMENTS(e) "substr(" e ".command, instr(" e ".command || ' ', ' ') + 1)"
#define RUN_PROBLEM(e) \
	"coalesce((SELECT value FROM experiment_fact WHERE experiment = " e ".id " \
	"AND key IN ('problem', 'size') ORDER BY key LIMIT 1), " RUN_ARGUMENTS(e) ")"

#endif
