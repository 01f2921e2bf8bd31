/* SPDX-License-Identifier: BSD-3-Clause */
/* runs.h - loads several experiments, and groups them in sets. */
#ifndef SIS_ANALYSIS_RUNS_H
#define SIS_ANALYSIS_RUNS_H

#include "repository/database/repository.h"

struct run {
	int64_t id, p, t_p_ns, version, processes;
	/* set: the value of the key by which runs are grouped; with several keys `KEY=VALUE,
	 * KEY=VALUE`; "" without a key */
	char *name, *set, *application, *command; /* command: "" if it is not known */
	/* what the run computed: `problem` or `size` of --set, else its arguments; "": none of
	 * these */
	char *problem;
	bool sequential;
	/* a sequential run that belongs to all sets, because no value tells its set */
	bool everywhere;
};
typedef VEC(struct run) run_list;

/* Whether two runs have the same build, command, p and number of processes, and are both sequential
 * or both not sequential. */
bool runs_repeat(const struct run *a, const struct run *b);
/* Fails if the runs are of several applications. */
int runs_check_application(const run_list *runs, const char *command, struct err *err);
/* Loads an experiment. `keys`, comma-separated, name its set: each is a key of --set, or one that
 * every experiment has (RUN_KEYS). NULL: all runs are one set. */
int run_load(struct run *run, struct repo *repo, int64_t id, const char *keys, struct err *err);
/* Puts the runs with the same problem into a set of their own, unless all have the same problem. */
void runs_separate(run_list *runs);
/* Puts each run that belongs to every set (`everywhere`) into all sets. */
int runs_spread(run_list *runs, struct repo *repo, struct err *err);
/* Adds an experiment, unless it is in the list already. */
int runs_add(run_list *runs, struct repo *repo, int64_t id, const char *keys, struct err *err);
/* Adds all complete experiments of the same application. */
int runs_add_of_application(run_list *runs, struct repo *repo, int64_t id, const char *keys,
			    struct err *err);
/* Adds all complete experiments of the same version, command, role and p. */
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
