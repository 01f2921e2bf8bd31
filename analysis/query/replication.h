/* SPDX-License-Identifier: BSD-3-Clause */
/* replication.h - whether the processing units divide the work of a call path, or each does all of
 * it, from their times and their calls beside those of one alone.
 *
 * k processing units work there (those that do little count less), each for the time t on average.
 * One unit alone works for t_1. r = t / t_1 is 1/k if the k units divide the work, and 1 if each
 * does all of it. The work is replicated if r is nearer to 1, and if the number of calls agrees: if
 * all units together call the region only as often as one unit alone, they divide the work, however
 * long each call takes. Calls say nothing if the work is in threads that did not call the region:
 * those of a team that is inside it.
 *
 * If r is in between, each process may do all of the work while its threads divide it, or the
 * processes may divide the work while each thread does all of its part. So the times are also added
 * up by process, and by the number of the thread. */
#ifndef SIS_ANALYSIS_REPLICATION_H
#define SIS_ANALYSIS_REPLICATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pu_work { /* of one processing unit in a call path */
	int64_t process, thread;
	double ns;
	int64_t calls;
};

enum sharing {
	SHARING_NONE,       /* one alone does nothing there, so r is unknown */
	SHARING_ONE,        /* one processing unit works, the others do next to nothing */
	SHARING_DIVIDED,    /* by the times */
	SHARING_CALLS,      /* by the calls: replicated by the times alone */
	SHARING_REPLICATED, /* by each processing unit */
	SHARING_PROCESSES,  /* replicated by each process; its threads divide the work */
	SHARING_THREADS,    /* the processes divide the work; each thread does all of its part */
};
struct replication {
	enum sharing sharing;
	double units;           /* k */
	double ratio;           /* r */
	double ns, calls;       /* of each of the k, on average */
	double sum_ns;          /* of all */
	/* part of it that others do, too: at most the work of one alone for each but the first */
	double repeated_ns;
	int64_t sum_calls;
	bool calls_known;
};

/* The work of a call path: n > 0 processing units, sorted by process. alone_ns, alone_calls: those
 * of one alone. */
struct replication replication_judge(const struct pu_work *work, size_t n, double alone_ns,
				     int64_t alone_calls);
static inline bool replication_is(const struct replication *r)
{
	return r->sharing >= SHARING_REPLICATED;
}

#endif
