/* runs.h - several experiments, in sets. */
#ifndef SIS_ANALYSIS_RUNS_H
#define SIS_ANALYSIS_RUNS_H

#include "commands/command.h"

struct run {
	int64_t id, p, t_p_ns;
	char *name, *set; /* set: the value of the key they are grouped by; "" when nothing was asked */
	bool sequential;
};
typedef VEC(struct run) run_list;

/* Fills in what the repository says of an experiment. `key` is one of --set, or of what every experiment has: see
 * run_keys; NULL: one set. */
int run_load(struct run *run, struct context *c, int64_t id, const char *key, struct err *err);
/* The experiments that the arguments name; without any, all complete ones of the newest one's application. */
int runs_of_arguments(run_list *runs, struct context *c, const char *key, struct err *err);
/* The experiments of a list `A,B,C`; with `repeats` also all complete ones of the same version, command and units. */
int runs_of_list(run_list *runs, struct context *c, const char *list, bool repeats, struct err *err);
void runs_release(run_list *runs);

#define RUN_KEYS "application, version, compiler, flags, program, command, role, p, processes, threads, nodes, host"

#endif
