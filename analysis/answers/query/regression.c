/* SPDX-License-Identifier: BSD-3-Clause */
/* regression.c - compares two series of runs. Owns the differences; one thread. Exclusive times of
 * regions are compared, so that a slower region is reported only once, and not for all its callers
 * as well. The time of a region that a run never entered is 0. The cost of probes depends on what
 * is measured. So this cost is subtracted from all regions, and shown once, as the time of region
 * `probe`. From T_p, only the cost of probes on the critical path is subtracted, because other
 * probes made the run no longer. */
#include "answers/query/regression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/sort.h"
#include "base/statistics.h"
#include "answers/query/probe_costs.h"

struct sample { double *x; bool in_a, in_b; }; /* seconds in each run, those of series a first */
struct samples {
	VEC(struct sample) sample; /* of the program, then of each region of the union */
	struct region_union all;
	double *t_p; /* T_p of each run with probes; `sample` has T_p without probes */
	size_t n_a, n_b;
	enum time_of time;
};

static const struct run *run_at(const run_list *a, const run_list *b, size_t i)
{
	return i < a->n ? &a->at[i] : &b->at[i - a->n];
}

static bool is_probe(const struct region_time *region)
{
	return strcmp(region->type, "RT_PROBE") == 0;
}

/* -- collecting -------------------------------------------------------------------------------- */

static void add_time(struct samples *s, size_t sample, size_t run, double seconds)
{
	struct sample *to = &s->sample.at[sample];
	to->x[run] += seconds;
	to->in_a |= run < s->n_a;
	to->in_b |= run >= s->n_a;
}

/* Adds the times of run i. path_ns: the cost of probes on the critical path. If this is not known,
 * the mean cost over the units is used. */
static void add_run(struct samples *s, const struct region_times *times, size_t i,
		    const struct run *run, int64_t path_ns)
{
	size_t *number = region_union_add(&s->all, times);
	double probes = 0, scale = (s->time == TIME_SUM ? (double)run->p : 1) / 1e9;
	while (s->sample.n < s->all.region.n + 1)
		*vec_push(&s->sample) =
			(struct sample){ .x = mem_alloc(s->n_a + s->n_b, sizeof(double)) };
	for (size_t r = 0; r < times->region.n; r++)
		probes += (double)times->region.at[r].probe_ns;
	for (size_t r = 0; r < times->region.n; r++) {
		const struct region_time *region = &times->region.at[r];
		double ns = is_probe(region) ?
			probes :
			(double)clamp_subtract(region->excl_ns, region->probe_ns);
		add_time(s, number[r] + 1, i, ns * scale);
	}
	s->t_p[i] = (double)run->t_p_ns * scale;
	double on_path = path_ns == COST_UNKNOWN ? probes : (double)path_ns;
	add_time(s, 0, i, ((double)run->t_p_ns - on_path) * scale);
	free(number);
}

/* -- results ----------------------------------------------------------------------------------- */

static struct difference difference_of(const struct samples *s, size_t i, const struct tested *t)
{
	const struct region_time *r = i ? s->all.region.at[i - 1] : NULL;
	const double *x = i ? t->x : s->t_p;
	double a = statistics_mean(x, s->n_a), b = statistics_mean(x + s->n_a, s->n_b);
	double a_without = statistics_mean(t->x, s->n_a),
	       b_without = statistics_mean(t->x + s->n_a, s->n_b);
	return (struct difference){
		.region = mem_string(r ? r->name : "program"), .key = mem_string(r ? r->key : ""),
		.type = mem_string(r ? r->type : ""), .file = mem_string(r ? r->file : ""),
		.line = r ? r->line : 0, .a = t->in_a ? a : NAN, .b = t->in_b ? b : NAN,
		.by = b - a, .a_without = a_without, .b_without = b_without,
		.p_value = t->p_value, .verdict = t->verdict, .fails = t->fails,
	};
}

static int by_difference(const void *va, const void *vb)
{
	const struct difference *a = va, *b = vb;
	return ORDER(b->by, a->by) ?: strcmp(a->key, b->key);
}

static void judge(differences *found, const struct samples *s, const struct limits *limits)
{
	struct tested *tested = mem_alloc(s->sample.n, sizeof *tested);
	for (size_t i = 0; i < s->sample.n; i++) {
		const struct sample *sample = &s->sample.at[i];
		tested[i] = (struct tested){
			.x = sample->x, .in_a = sample->in_a, .in_b = sample->in_b,
			.never_fails = i && is_probe(s->all.region.at[i - 1]),
		};
	}
	significance_test(tested, s->sample.n, s->n_a, s->n_b, limits);
	for (size_t i = 0; i < s->sample.n; i++)
		*vec_push(found) = difference_of(s, i, &tested[i]);
	vec_sort_from(found, 1, by_difference);
	free(tested);
}

int regression_find(differences *found, struct repo *repo, const run_list *a, const run_list *b,
		    enum time_of time, const struct limits *limits, struct err *err)
{
	size_t n = a->n + b->n;
	struct samples s = { .n_a = a->n, .n_b = b->n, .time = time };
	struct region_times *times = mem_alloc(n, sizeof *times);
	int64_t *path_ns = mem_alloc(n, sizeof *path_ns);
	int rc = 0;
	s.t_p = mem_alloc(n, sizeof *s.t_p);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		int64_t id = run_at(a, b, i)->id;
		rc = region_times_load(&times[i], repo, id, err);
		rc = rc ? rc : region_times_load_probes(&times[i], repo, id, err);
		rc = rc ? rc : probe_costs_of_t_p(&path_ns[i], repo, id, err);
	}
	for (size_t i = 0; rc == 0 && i < n; i++)
		add_run(&s, &times[i], i, run_at(a, b, i), path_ns[i]);
	if (rc == 0)
		judge(found, &s, limits);
	for (size_t i = 0; i < s.sample.n; i++)
		free(s.sample.at[i].x);
	vec_free(&s.sample);
	region_union_release(&s.all);
	for (size_t i = 0; i < n; i++)
		region_times_release(&times[i]);
	free(times), free(path_ns), free(s.t_p);
	return rc;
}

void regression_release(differences *found)
{
	for (size_t i = 0; i < found->n; i++) {
		struct difference *d = &found->at[i];
		free(d->region), free(d->key), free(d->type), free(d->file);
	}
	vec_free(found);
}
