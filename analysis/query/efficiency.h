/* SPDX-License-Identifier: BSD-3-Clause */
/* efficiency.h - how well an experiment used its processing units, divided into factors as POP
 * defines them. */
#ifndef SIS_ANALYSIS_EFFICIENCY_H
#define SIS_ANALYSIS_EFFICIENCY_H

#include <stdio.h>

#include "query/overhead.h"

/* each one is the product of those one level deeper that follow it */
enum efficiency_kind {
#define SIS_EFFICIENCY(name, depth, key, title, meaning) EFFICIENCY_##name,
#include "efficiencies.def"
#undef SIS_EFFICIENCY
	EFFICIENCIES,
};

struct efficiencies {
	double value[EFFICIENCIES]; /* less than 0: it does not apply, or is not known */
	/* instructions per cycle, and cycles per ns of the useful work; 0: not known */
	double ipc, ghz;
	/* why the factors of computation scaling are not known although it is; NULL otherwise */
	char *missing;
};

/* The time of a processing unit, in the run or in a region: nanoseconds of useful work, of work in
 * other ways, of waits for threads of its process, and of starting and scheduling threads; all of
 * it, and what was not measured. */
struct pu_account {
	int64_t process, thread;
	double useful, local, waits, scheduling, all, unmeasured;
};
/* Adds time of a leaf of the overhead tree; O_NONE: useful work. */
void pu_account_add(struct pu_account *pu, enum sis_overhead leaf, double ns);
/* So much of its OLOSS_NOCPU, which was added, was in calls of MPI. */
void pu_account_in_mpi(struct pu_account *pu, double ns);
/* The efficiencies of a region that took `t` ns, those that were not measured included, from the
 * times of processing units in it, ordered by process and thread. */
void efficiencies_compute(struct efficiencies *e, const struct pu_account *pu, size_t n, double t);

struct efficiency_base { /* the run that computation is compared with */
	int64_t experiment; /* 0: none */
	/* the part of its work that this run has to do: 1; in weak scaling more */
	double times;
	/* repetitions, `experiment` among them, whose mean counts instead; 0: none */
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
