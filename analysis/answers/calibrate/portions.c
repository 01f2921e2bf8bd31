/* SPDX-License-Identifier: BSD-3-Clause */
/* portions.c - computes portions as differences of times, with their statistics. Owns nothing; one
 * thread. */
#include "answers/calibrate/portions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "tables.h"

const char *const portion_names[PORTIONS] = {
	[PORTION_T] = "T", [PORTION_FLOOR] = "floor", [PORTION_I] = "I", [PORTION_C] = "C",
	[PORTION_C_INSIDE] = "C inside", [PORTION_C_OUTSIDE] = "C outside",
	[PORTION_C_TRACE] = "C trace", [PORTION_W] = "W", [PORTION_READING] = "reading",
};

/* The times of one kernel, setting and depth. NaN: not measured. */
struct group {
	const char *setting, *kernel;
	int64_t depth;
	size_t processes;
	double *mean[STATES], *median[STATES]; /* by state, then process */
};

static void group_init(struct group *g, const struct cost_time *t, size_t processes)
{
	*g = (struct group){ t->setting, t->kernel, t->depth, processes, { 0 }, { 0 } };
	double *all = mem_alloc(2 * STATES * processes, sizeof *all);
	for (size_t i = 0; i < 2 * STATES * processes; i++)
		all[i] = NAN;
	for (enum state state = 0; state < STATES; state++) {
		g->mean[state] = all + state * processes;
		g->median[state] = all + (STATES + state) * processes;
	}
}

static double time_of(const struct group *g, enum state state, size_t process, bool mean)
{
	return process < g->processes ? (mean ? g->mean : g->median)[state][process] : NAN;
}

/* -- portions ---------------------------------------------------------------------------------- */

/* A portion is the time in `state` less the time in `less`. */
struct rule { enum state state, less; bool mean; };
static const struct rule region_rules[PORTIONS] = {
	[PORTION_FLOOR] = { STATE_OFF, STATE_PLAIN, false },
	[PORTION_I] = { STATE_EXCLUDED, STATE_PLAIN, false },
	[PORTION_C] = { STATE_PROFILE, STATE_EXCLUDED, false },
	[PORTION_C_INSIDE] = { STATE_INSIDE, STATE_PLAIN, false },
	[PORTION_C_TRACE] = { STATE_BUFFERED, STATE_PROFILE, false },
	[PORTION_W] = { STATE_WRITTEN, STATE_BUFFERED, true },
};
/* Calls of MPI, OpenMP and pthreads: single wrappers cannot be turned off, so there is no I. */
static const struct rule call_rules[PORTIONS] = {
	[PORTION_FLOOR] = { STATE_OFF, STATE_PLAIN, false },
	[PORTION_C] = { STATE_PROFILE, STATE_PLAIN, false },
};

static bool is_region(const struct group *g)
{
	return strcmp(g->kernel, "region") == 0;
}

static double difference(const struct group *g, enum portion_kind kind, size_t process)
{
	const struct rule *rule = &(is_region(g) ? region_rules : call_rules)[kind];
	if (rule->state == rule->less)
		return NAN;
	return time_of(g, rule->state, process, rule->mean) -
		time_of(g, rule->less, process, rule->mean);
}

/* `region`: the group of the region without metrics, in the last setting. Its time is subtracted
 * from the time with a metric, to get the cost of reading the metric. */
static double portion_in(const struct group *g, const struct group *region,
			 enum portion_kind kind, size_t process)
{
	if (sis_metric_by_name(g->kernel, strlen(g->kernel)) != M_NONE)
		return kind != PORTION_READING || strcmp(region->setting, g->setting) != 0 ? NAN :
			time_of(g, STATE_PROFILE, process, false) -
			time_of(region, STATE_PROFILE, process, false);
	if (kind == PORTION_T)
		return time_of(g, STATE_PLAIN, process, false);
	if (kind == PORTION_C_OUTSIDE)
		return difference(g, PORTION_C, process) -
			difference(g, PORTION_C_INSIDE, process);
	return difference(g, kind, process);
}

static void add_portions(portion_list *list, const struct group *g, const struct group *region)
{
	double *x = mem_alloc(g->processes, sizeof *x);
	for (enum portion_kind kind = 0; kind < PORTIONS; kind++) {
		size_t n = 0;
		for (size_t process = 0; process < g->processes; process++) {
			double ns = portion_in(g, region, kind, process);
			if (isfinite(ns))
				x[n++] = ns;
		}
		struct portion p = { g->setting, g->kernel, g->depth, kind, { 0 } };
		statistics_series(&p.ns, x, n);
		if (n)
			*vec_push(list) = p;
	}
	free(x);
}

/* A time with the keys by which times are sorted. */
struct ordered_time { const struct cost_time *time; bool is_region; size_t setting; };

static int by_group(const void *va, const void *vb)
{
	const struct ordered_time *a = va, *b = vb;
	return ORDER(b->is_region, a->is_region) ?: ORDER(a->setting, b->setting) ?:
		strcmp(a->time->setting, b->time->setting) ?:
		strcmp(a->time->kernel, b->time->kernel) ?:
		ORDER(a->time->depth, b->time->depth);
}

void portions_find(portion_list *list, const struct calibration *c)
{
	VEC(struct ordered_time) at = { 0 };
	VEC(struct group) group = { 0 };
	for (size_t i = 0; i < c->time.n; i++) {
		const struct cost_time *t = &c->time.at[i];
		size_t setting = 0;
		while (setting < c->setting.n &&
		       strcmp(c->setting.at[setting].name, t->setting) != 0)
			setting++;
		*vec_push(&at) =
			(struct ordered_time){ t, strcmp(t->kernel, "region") == 0, setting };
	}
	vec_sort(&at, by_group);
	for (size_t i = 0; i < at.n;) {
		const struct ordered_time *first = &at.at[i];
		struct group *g = vec_push(&group);
		group_init(g, first->time, (size_t)c->processes);
		for (; i < at.n && by_group(first, &at.at[i]) == 0; i++) {
			const struct cost_time *t = at.at[i].time;
			if (t->process < 0 || (size_t)t->process >= g->processes)
				continue;
			g->mean[t->state][t->process] = t->mean_ns;
			g->median[t->state][t->process] = t->median_ns;
		}
	}
	const struct group *region = group.at; /* the loop finds depth 1 in the last setting */
	for (size_t i = 0; i < group.n; i++)
		if (is_region(&group.at[i]) && group.at[i].depth == 1)
			region = &group.at[i];
	for (size_t i = 0; i < group.n; i++)
		add_portions(list, &group.at[i], region);
	for (size_t i = 0; i < group.n; i++)
		free(group.at[i].mean[0]); /* this block has all times of the group */
	vec_free(&group), vec_free(&at);
}

const struct portion *portion_of(const portion_list *list, const char *setting, const char *kernel,
				 int64_t depth, enum portion_kind kind)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct portion *p = &list->at[i];
		if (p->kind == kind && p->depth == depth && strcmp(p->setting, setting) == 0 &&
		    strcmp(p->kernel, kernel) == 0)
			return p;
	}
	return NULL;
}

/* -- lines over the depth ---------------------------------------------------------------------- */

static void add_fit(portion_fits *fits, const portion_list *list, const char *setting,
		    enum portion_kind kind)
{
	VEC(double) x = { 0 }, y = { 0 };
	for (size_t i = 0; i < list->n; i++) {
		const struct portion *p = &list->at[i];
		if (p->kind != kind || strcmp(p->setting, setting) != 0 ||
		    strcmp(p->kernel, "region") != 0)
			continue;
		*vec_push(&x) = (double)p->depth;
		*vec_push(&y) = p->ns.median;
	}
	if (x.n >= 3)
		*vec_push(fits) = (struct portion_fit){ setting, kind, x.n,
							statistics_line(x.at, y.at, x.n) };
	vec_free(&x), vec_free(&y);
}

void portions_fit(portion_fits *fits, const portion_list *list)
{
	static const enum portion_kind kinds[] = { PORTION_T, PORTION_FLOOR, PORTION_I, PORTION_C,
						   PORTION_C_TRACE, PORTION_W };
	const char *last = "";
	for (size_t i = 0; i < list->n; i++) {
		const struct portion *p = &list->at[i];
		if (p->kind != PORTION_T || p->depth != 1 || strcmp(p->kernel, "region") != 0 ||
		    strcmp(p->setting, last) == 0)
			continue;
		last = p->setting;
		for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
			add_fit(fits, list, last, kinds[k]);
	}
}

/* -- the writer -------------------------------------------------------------------------------- */

void writers_find(writer_speeds *speeds, const struct calibration *c)
{
	for (size_t k = 0; k < c->setting.n; k++) {
		struct writer_speed speed = { .setting = c->setting.at[k].name };
		double events = 0, dropped = 0, raw = 0, bytes = 0;
		VEC(double) rate = { 0 }, made = { 0 };
		for (size_t i = 0; i < c->writer.n; i++) {
			const struct cost_writer *w = &c->writer.at[i];
			if (strcmp(w->setting, speed.setting) != 0 || w->ns <= 0 || w->events <= 0)
				continue;
			double seconds = (double)w->ns / 1e9;
			*vec_push(&rate) = (double)w->events / seconds;
			*vec_push(&made) = ((double)w->events + (double)w->dropped) / seconds;
			events += (double)w->events;
			dropped += (double)w->dropped;
			raw += (double)w->raw_bytes;
			bytes += (double)w->bytes;
		}
		statistics_series(&speed.written, rate.at, rate.n);
		statistics_series(&speed.made, made.at, made.n);
		speed.saturated = dropped > 0;
		speed.raw_bytes = raw / events;
		speed.bytes = bytes / events;
		if (rate.n)
			*vec_push(speeds) = speed;
		vec_free(&rate), vec_free(&made);
	}
}
