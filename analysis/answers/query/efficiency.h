/* SPDX-License-Identifier: BSD-3-Clause */
/* efficiency.h - computes how well an experiment used its processing units, as the factors that POP
 * defines. */
#ifndef SIS_ANALYSIS_EFFICIENCY_H
#define SIS_ANALYSIS_EFFICIENCY_H

#include <stdio.h>

#include "answers/query/overhead.h"

/* Each efficiency is the product of the efficiencies that follow it one level deeper. */
enum efficiency_kind {
#define SIS_EFFICIENCY(name, depth, key, title, meaning) EFFICIENCY_##name,
#include "efficiencies.def"
#undef SIS_EFFICIENCY
	EFFICIENCIES,
};

struct efficiencies {
	double value[EFFICIENCIES]; /* less than 0: it does not apply, or is not known */
	/* of the useful work: instructions per cycle, and cycles per ns; 0: not known */
	double ipc, ghz;
	/* why the factors of computation scaling are not known, if computation scaling itself is
	 * known; else NULL */
	char *missing;
};

/* The time of a processing unit in the run or in a region, in nanoseconds: useful work; other time
 * in which it did not wait (`local`); waits for threads of its process; starting and scheduling
 * threads; all of its time; and the time that was not measured. */
struct pu_account {
	int64_t process, thread;
	double useful, local, waits, scheduling, all, unmeasured;
};
/* Adds the time of a leaf of the overhead tree, or of useful work (O_NONE), to an account. */
void pu_account_add(struct pu_account *pu, enum sis_overhead leaf, double ns);
/* Says that `ns` of the OLOSS_NOCPU that was added were in calls of MPI. */
void pu_account_in_mpi(struct pu_account *pu, double ns);
/* Computes the efficiencies of a region that took `t` ns, including time that was not measured.
 * `pu`: the times of processing units in the region, ordered by process and thread. */
void efficiencies_compute(struct efficiencies *e, const struct pu_account *pu, size_t n, double t);

struct efficiency_base { /* the run with which computation is compared */
	int64_t experiment; /* 0: none */
	/* this run does the base's work so many times: 1, or more in weak scaling */
	double times;
	/* the base and its repetitions (`experiment` is one of these runs); if there are any, their
	 * mean is the base */
	const int64_t *repeated;
	size_t n_repeated;
};
int efficiencies_load(struct efficiencies *e, struct repo *repo, int64_t experiment, int64_t t_p,
		      struct efficiency_base base, struct err *err);
void efficiencies_release(struct efficiencies *e);
const char *efficiency_title(int i);
const char *efficiency_key(int i);
int efficiency_depth(int i);
void efficiencies_print(const struct efficiencies *e, bool color, FILE *out);
void efficiencies_json(const struct efficiencies *e, struct json *json);

#endif
