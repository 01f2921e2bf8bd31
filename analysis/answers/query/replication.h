/* SPDX-License-Identifier: BSD-3-Clause */
/* replication.h - judges whether the processing units divide the work of a call path, or each does
 * all of it. Their times and calls are compared with those of one processing unit that runs alone.
 *
 * k processing units work in the call path, each for the time t on average; units that do little
 * count less in k. In the run on one unit, this unit works for t_1. r = t / t_1 is 1/k if the k
 * units divide the work, and 1 if each does all of it. The work is replicated if r is nearer to 1
 * than to 1/k and the calls agree: if all units together call the region only as often as one unit
 * alone, they divide the work, however long each call takes. Calls say nothing if threads work in
 * the call path that did not call the region, because their team was made inside it.
 *
 * If r is between 1/k and 1, each process may do all of the work while its threads divide it. Or
 * the processes may divide the work while each thread of a process does all of the process's part.
 * So the times are also added up by process, and by the number of the thread. */
#ifndef SIS_ANALYSIS_REPLICATION_H
#define SIS_ANALYSIS_REPLICATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pu_work { /* the work of one processing unit in a call path */
	int64_t process, thread;
	double ns;
	int64_t calls;
};

enum sharing {
	SHARING_NONE,       /* one unit alone does nothing in the path, so r is unknown */
	SHARING_ONE,        /* one processing unit works, the others do next to nothing */
	SHARING_DIVIDED,    /* divided, by the times */
	SHARING_CALLS,      /* divided, by the calls; by the times alone it would be replicated */
	SHARING_REPLICATED, /* each processing unit does all of the work */
	SHARING_PROCESSES,  /* replicated by each process; its threads divide the work */
	SHARING_THREADS,    /* processes divide the work; threads repeat that of their process */
};
struct replication {
	enum sharing sharing;
	double units;           /* k */
	double ratio;           /* r */
	double ns, calls;       /* mean of the k units */
	double sum_ns;          /* sum of all units */
	/* part of sum_ns that repeats work of others: for each unit but the first, at most what a
	 * single unit needs when it runs alone (alone_ns) */
	double repeated_ns;
	int64_t sum_calls;
	bool calls_known;
};

/* Judges the work of n > 0 processing units in a call path, sorted by process. alone_ns,
 * alone_calls: time and calls in the run on one unit. */
struct replication replication_judge(const struct pu_work *work, size_t n, double alone_ns,
				     int64_t alone_calls);
static inline bool replication_is(const struct replication *r)
{
	return r->sharing >= SHARING_REPLICATED;
}

#endif
