/* SPDX-License-Identifier: BSD-3-Clause */
/* regression.c - compares two series of runs. Owns the differences; one thread. Exclusive times of
 * regions are compared, so that a slower region is reported once, without all of its callers. A
 * region that a run never entered took no time in it. */
#include "query/regression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/statistics.h"

struct sample { /* seconds of one region in the runs of both sides, those of `a` first */
	const struct region_time *region;
	double *x;
	bool in_a, in_b;
};
struct samples { VEC(struct sample) sample; size_t n_a, n_b; };

/* -- collecting -------------------------------------------------------------------------------- */

static void add_sample(struct samples *s, const struct region_time *region)
{
	*vec_push(&s->sample) = (struct sample){
		.region = region, .x = mem_alloc(s->n_a + s->n_b, sizeof(double)),
	};
}

/* Adds the regions of run `run` to the samples: paired with those of the first run, or new. */
static void add_run(struct samples *s, const struct region_times *first,
		    const struct region_times *times, size_t run)
{
	size_t *pair = region_times_pair(first, times);
	for (size_t i = 0; i < times->region.n; i++) {
		const struct region_time *r = &times->region.at[i];
		size_t at = pair[i];
		for (size_t k = first->region.n; at == NO_REGION && k < s->sample.n; k++)
			if (strcmp(s->sample.at[k].region->key, r->key) == 0)
				at = k;
		if (at == NO_REGION) {
			at = s->sample.n;
			add_sample(s, r);
		}
		if (run >= s->n_a && !s->sample.at[at].in_b)
			s->sample.at[at].region = r; /* the sample of the region */
		s->sample.at[at].x[run] += (double)r->excl_ns / 1e9;
		s->sample.at[at].in_a |= run < s->n_a;
		s->sample.at[at].in_b |= run >= s->n_a;
	}
	free(pair);
}

static void collect(struct samples *s, const struct region_times *times)
{
	for (size_t i = 0; i < times[0].region.n; i++)
		add_sample(s, &times[0].region.at[i]);
	for (size_t run = 0; run < s->n_a + s->n_b; run++)
		add_run(s, &times[0], &times[run], run);
}

/* -- judging ----------------------------------------------------------------------------------- */

static struct difference compare(const double *x, size_t n_a, size_t n_b)
{
	return (struct difference){
		.a = statistics_mean(x, n_a), .b = statistics_mean(x + n_a, n_b),
		.p_value = statistics_same(x, n_a, x + n_a, n_b),
	};
}

static void test_difference(struct difference *d, const struct limits *limits, double t_p)
{
	double by = d->b - d->a;
	bool matters = fabs(by) > limits->share * t_p && !(d->p_value >= limits->chance);
	if (matters && d->verdict == SAME)
		d->verdict = by > 0 ? SLOWER : FASTER;
	d->fails = limits->change >= 0 && d->verdict == SLOWER && by > limits->change * d->a;
}

static struct difference of_program(const run_list *a, const run_list *b)
{
	double *x = mem_alloc(a->n + b->n, sizeof *x);
	for (size_t i = 0; i < a->n + b->n; i++)
		x[i] = (double)(i < a->n ? a->at[i].t_p_ns : b->at[i - a->n].t_p_ns) / 1e9;
	struct difference d = compare(x, a->n, b->n);
	free(x);
	d.region = mem_string("program");
	d.key = mem_string(""), d.type = mem_string(""), d.file = mem_string("");
	return d;
}

static void add_regions(differences *found, const struct samples *s)
{
	for (size_t i = 0; i < s->sample.n; i++) {
		const struct sample *sample = &s->sample.at[i];
		struct difference d = compare(sample->x, s->n_a, s->n_b);
		d.verdict = !sample->in_a ? NEW : !sample->in_b ? GONE : SAME;
		d.region = mem_string(sample->region->name),
		d.key = mem_string(sample->region->key);
		d.type = mem_string(sample->region->type),
		d.file = mem_string(sample->region->file);
		d.line = sample->region->line;
		*vec_push(found) = d;
	}
}

/* The program is one test. Regions are many tests, some of which would fail by chance. */
static void adjust(differences *found)
{
	size_t n = found->n - 1;
	double *p = mem_alloc(n + 1, sizeof *p);
	for (size_t i = 0; i < n; i++)
		p[i] = found->at[i + 1].p_value;
	statistics_adjust(p, n);
	for (size_t i = 0; i < n; i++)
		found->at[i + 1].p_value = p[i];
	free(p);
}

static int by_difference(const void *va, const void *vb)
{
	const struct difference *a = va, *b = vb;
	double x = a->b - a->a, y = b->b - b->a;
	return ORDER(y, x) ?: strcmp(a->key, b->key);
}

int regression_find(differences *found, struct repo *repo, const run_list *a, const run_list *b,
		    const struct limits *limits, struct err *err)
{
	struct samples s = { .n_a = a->n, .n_b = b->n };
	struct region_times *times = mem_alloc(a->n + b->n, sizeof *times);
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < a->n + b->n; i++)
		rc = region_times_load(&times[i], repo, i < a->n ? a->at[i].id : b->at[i - a->n].id,
				       err);
	if (rc == 0) {
		collect(&s, times);
		*vec_push(found) = of_program(a, b);
		add_regions(found, &s);
		adjust(found);
		for (size_t i = 0; i < found->n; i++)
			test_difference(&found->at[i], limits, found->at[0].a);
		qsort(found->at + 1, found->n - 1, sizeof *found->at, by_difference);
	}
	for (size_t i = 0; i < s.sample.n; i++)
		free(s.sample.at[i].x);
	vec_free(&s.sample);
	for (size_t i = 0; i < a->n + b->n; i++)
		region_times_release(&times[i]);
	free(times);
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
