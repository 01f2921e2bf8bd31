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
	bool sequential;
};
typedef VEC(struct run) run_list;

/* Whether two runs are of the same build, command, p and number of processes. */
bool runs_repeat(const struct run *a, const struct run *b);
/* Checks that all runs are of one application. */
int runs_check_application(const run_list *runs, const char *command, struct err *err);
/* Loads an experiment. `keys`, comma-separated: each is one of --set, or a value that every
 * experiment has (RUN_KEYS); NULL: there is one set. */
int run_load(struct run *run, struct repo *repo, int64_t id, const char *keys, struct err *err);
/* Adds an experiment that is not in the list yet. */
int runs_add(run_list *runs, struct repo *repo, int64_t id, const char *keys, struct err *err);
/* Adds all complete experiments of the same application. */
int runs_add_of_application(run_list *runs, struct repo *repo, int64_t id, const char *keys,
			    struct err *err);
/* Adds all complete experiments of the same version, command and p. */
int runs_add_repetitions(run_list *runs, struct repo *repo, int64_t id, struct err *err);
void runs_release(run_list *runs);

#define RUN_KEYS \
	"application, version, compiler, flags, program, command, role, p, processes, threads, " \
	"nodes, host, network"

#endif
