/* SPDX-License-Identifier: BSD-3-Clause */
/* replication.c - see replication.h. Owns nothing; any thread. k = (sum of times)^2 / (sum of their
 * squares). This is the number of units that work if these work equally long, and a smaller number
 * if not. */
#include "answers/query/replication.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"

/* How far r, or the calls, must be on the way from divided (0) to replicated (1). For work that
 * only processes or only threads replicate, the limit is stricter, so that work that is divided but
 * slow does not count as replicated. */
struct limits { double least, most; };
#define NEARER 0.5
static const struct limits nearer = { NEARER, INFINITY }, clearly = { 0.75, 1.33 };
/* If k is less than this, only one unit counts as working. */
#define SEVERAL 1.5
/* Calls are used only if no more than this part of the work is in units that did not call the
 * region. */
#define MOST_UNCALLED 0.1

struct sums { double ns, squares; };

static double units_of(struct sums s)
{
	return s.squares > 0 ? s.ns * s.ns / s.squares : 0;
}

/* Where a sum lies on the way from the value of one unit alone (0) to `units` times this value
 * (1). */
static double way(double sum, double alone, double units)
{
	return (sum / alone - 1) / (units - 1);
}

/* Adds up the times by process. The units of a process follow each other. */
static struct sums sum_processes(const struct pu_work *work, size_t n)
{
	struct sums sums = { 0 };
	for (size_t i = 0, first = 0; i < n; i++) {
		if (i + 1 < n && work[i + 1].process == work[first].process)
			continue;
		double ns = 0;
		for (size_t k = first; k <= i; k++)
			ns += work[k].ns;
		sums.ns += ns, sums.squares += ns * ns;
		first = i + 1;
	}
	return sums;
}

/* Adds up the times of threads that have the same number in their processes. */
static struct sums sum_threads(const struct pu_work *work, size_t n)
{
	struct map index = { 0 };
	struct sums sums = { 0 };
	VEC(double) ns = { 0 };
	for (size_t i = 0; i < n; i++) {
		bool fresh;
		uint32_t at = map_put(&index, (uint64_t)work[i].thread, 0, ns.n, &fresh);
		if (fresh)
			*vec_push(&ns) = 0;
		ns.at[at] += work[i].ns;
	}
	for (size_t i = 0; i < ns.n; i++)
		sums.ns += ns.at[i], sums.squares += ns.at[i] * ns.at[i];
	map_free(&index), vec_free(&ns);
	return sums;
}

static bool is_replicated(struct replication *r, struct sums sums, double alone_ns,
			  int64_t alone_calls, struct limits limits)
{
	double units = units_of(sums);
	if (units < SEVERAL)
		return false;
	double at = way(sums.ns, alone_ns, units);
	if (at < limits.least || at > limits.most ||
	    (r->calls_known && way((double)r->sum_calls, (double)alone_calls, units) < NEARER))
		return false;
	r->repeated_ns = (at < 1 ? at : 1) * (units - 1) * alone_ns;
	return true;
}

static enum sharing sharing_of(struct replication *r, const struct pu_work *work, size_t n,
			       struct sums sums, double alone_ns, int64_t alone_calls)
{
	if (alone_ns <= 0)
		return SHARING_NONE;
	if (r->units < SEVERAL)
		return SHARING_ONE;
	if (is_replicated(r, sums, alone_ns, alone_calls, nearer))
		return SHARING_REPLICATED;
	if (way(sums.ns, alone_ns, r->units) >= NEARER)
		return SHARING_CALLS;
	if (is_replicated(r, sum_processes(work, n), alone_ns, alone_calls, clearly))
		return SHARING_PROCESSES;
	if (is_replicated(r, sum_threads(work, n), alone_ns, alone_calls, clearly))
		return SHARING_THREADS;
	return SHARING_DIVIDED;
}

struct replication replication_judge(const struct pu_work *work, size_t n, double alone_ns,
				     int64_t alone_calls)
{
	struct replication r = { 0 };
	struct sums sums = { 0 };
	double uncalled = 0;
	for (size_t i = 0; i < n; i++) {
		sums.ns += work[i].ns;
		sums.squares += work[i].ns * work[i].ns;
		r.sum_calls += work[i].calls;
		uncalled += work[i].calls > 0 ? 0 : work[i].ns;
	}
	r.sum_ns = sums.ns;
	r.units = units_of(sums) > 1 ? units_of(sums) : 1;
	r.ns = sums.ns / r.units;
	r.calls = (double)r.sum_calls / r.units;
	r.ratio = alone_ns > 0 ? r.ns / alone_ns : 0;
	r.calls_known = alone_calls > 0 && uncalled <= MOST_UNCALLED * sums.ns;
	r.sharing = sharing_of(&r, work, n, sums, alone_ns, alone_calls);
	return r;
}
