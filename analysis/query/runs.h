/* SPDX-License-Identifier: BSD-3-Clause */
/* runs.h - several experiments, in sets. */
#ifndef SIS_ANALYSIS_RUNS_H
#define SIS_ANALYSIS_RUNS_H

#include "repository/repository.h"

struct run {
	int64_t id, p, t_p_ns;
	/* set: the value of the key that groups them; "" without a key */
	char *name, *set;
	bool sequential;
};
typedef VEC(struct run) run_list;

/* Loads an experiment. `key` is one of --set, or a value that every experiment has (RUN_KEYS);
 * NULL: there is one set. */
int run_load(struct run *run, struct repo *repo, int64_t id, const char *key, struct err *err);
/* Adds an experiment that is not in the list yet. */
int runs_add(run_list *runs, struct repo *repo, int64_t id, const char *key, struct err *err);
/* Adds all complete experiments of the same application. */
int runs_add_of_application(run_list *runs, struct repo *repo, int64_t id, const char *key,
			    struct err *err);
/* Adds all complete experiments of the same version, command and p. */
int runs_add_repetitions(run_list *runs, struct repo *repo, int64_t id, struct err *err);
void runs_release(run_list *runs);

#define RUN_KEYS \
	"application, version, compiler, flags, program, command, role, p, processes, threads, " \
	"nodes, host"

#endif
