/* SPDX-License-Identifier: BSD-3-Clause */
/* portions.c - differences of times, and their statistics. Owns nothing; one thread. */
#include "calibrate/portions.h"

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

/* Times of one kernel, setting and depth. NaN: not measured. */
struct group {
	const char *setting, *kernel;
	int64_t depth;
	size_t processes;
	double *mean[STATES], *median[STATES]; /* of each process */
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

static void group_release(struct group *g)
{
	free(g->mean[0]);
}

static double time_of(const struct group *g, enum state state, size_t process, bool mean)
{
	return process < g->processes ? (mean ? g->mean : g->median)[state][process] : NAN;
}

/* -- portions ---------------------------------------------------------------------------------- */

/* A portion is the time in one state less that in another. */
struct rule { enum state state, less; bool mean; };
static const struct rule region_rules[PORTIONS] = {
	[PORTION_FLOOR] = { STATE_OFF, STATE_PLAIN, false },
	[PORTION_I] = { STATE_EXCLUDED, STATE_PLAIN, false },
	[PORTION_C] = { STATE_PROFILE, STATE_EXCLUDED, false },
	[PORTION_C_INSIDE] = { STATE_INSIDE, STATE_PLAIN, false },
	[PORTION_C_TRACE] = { STATE_BUFFERED, STATE_PROFILE, false },
	[PORTION_W] = { STATE_WRITTEN, STATE_BUFFERED, true },
};
/* Calls of MPI, OpenMP and pthreads: their wrappers are not turned off one by one. */
static const struct rule call_rules[PORTIONS] = {
	[PORTION_FLOOR] = { STATE_OFF, STATE_PLAIN, false },
	[PORTION_C] = { STATE_PROFILE, STATE_PLAIN, false },
};

static bool is_region(const struct group *g)
{
	return strcmp(g->kernel, "region") == 0;
}

static bool is_metric(const struct group *g)
{
	return sis_metric_by_name(g->kernel, strlen(g->kernel)) != M_NONE;
}

static double difference(const struct group *g, enum portion_kind kind, size_t process)
{
	const struct rule *rule = &(is_region(g) ? region_rules : call_rules)[kind];
	if (rule->state == rule->less)
		return NAN;
	return time_of(g, rule->state, process, rule->mean) -
		time_of(g, rule->less, process, rule->mean);
}

/* `region`: the group of the region without metrics, in the last setting. */
static double portion_in(const struct group *g, const struct group *region,
			 enum portion_kind kind, size_t process)
{
	if (is_metric(g))
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

/* A time, and what it is ordered by. */
struct place_of_time { const struct cost_time *time; bool is_region; size_t setting; };

static int by_group(const void *va, const void *vb)
{
	const struct place_of_time *a = va, *b = vb;
	return ORDER(b->is_region, a->is_region) ?: ORDER(a->setting, b->setting) ?:
		strcmp(a->time->setting, b->time->setting) ?:
		strcmp(a->time->kernel, b->time->kernel) ?:
		ORDER(a->time->depth, b->time->depth);
}

static size_t setting_number(const struct calibration *c, const char *name)
{
	size_t i = 0;
	while (i < c->setting.n && strcmp(c->setting.at[i].name, name) != 0)
		i++;
	return i;
}

/* Fills the group that begins at `from`; returns where it ends. */
static size_t group_fill(struct group *g, const struct place_of_time *at, size_t from, size_t n)
{
	size_t i = from;
	for (; i < n && by_group(&at[from], &at[i]) == 0; i++) {
		const struct cost_time *t = at[i].time;
		if (t->process < 0 || (size_t)t->process >= g->processes)
			continue;
		g->mean[t->state][t->process] = t->mean_ns;
		g->median[t->state][t->process] = t->median_ns;
	}
	return i;
}

void portions_find(portion_list *list, const struct calibration *c)
{
	VEC(struct place_of_time) at = { 0 };
	VEC(struct group) group = { 0 };
	for (size_t i = 0; i < c->time.n; i++)
		*vec_push(&at) = (struct place_of_time){
			&c->time.at[i], strcmp(c->time.at[i].kernel, "region") == 0,
			setting_number(c, c->time.at[i].setting),
		};
	vec_sort(&at, by_group);
	for (size_t i = 0; i < at.n;) {
		group_init(vec_push(&group), at.at[i].time, (size_t)c->processes);
		i = group_fill(&group.at[group.n - 1], at.at, i, at.n);
	}
	const struct group *region = group.at; /* of depth 1, in the last setting */
	for (size_t i = 0; i < group.n; i++)
		if (is_region(&group.at[i]) && group.at[i].depth == 1)
			region = &group.at[i];
	for (size_t i = 0; i < group.n; i++)
		add_portions(list, &group.at[i], region);
	for (size_t i = 0; i < group.n; i++)
		group_release(&group.at[i]);
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

static bool add_writer(struct writer_speed *speed, const struct calibration *c)
{
	double events = 0, dropped = 0, raw = 0, bytes = 0;
	VEC(double) rate = { 0 }, made = { 0 };
	for (size_t i = 0; i < c->writer.n; i++) {
		const struct cost_writer *w = &c->writer.at[i];
		if (strcmp(w->setting, speed->setting) != 0 || w->ns <= 0 || w->events <= 0)
			continue;
		*vec_push(&rate) = (double)w->events / ((double)w->ns / 1e9);
		*vec_push(&made) = ((double)w->events + (double)w->dropped) / ((double)w->ns / 1e9);
		events += (double)w->events;
		dropped += (double)w->dropped;
		raw += (double)w->raw_bytes;
		bytes += (double)w->bytes;
	}
	bool any = rate.n > 0;
	statistics_series(&speed->written, rate.at, rate.n);
	statistics_series(&speed->made, made.at, made.n);
	vec_free(&rate), vec_free(&made);
	speed->saturated = dropped > 0;
	speed->raw_bytes = raw / events;
	speed->bytes = bytes / events;
	return any;
}

void writers_find(writer_speeds *speeds, const struct calibration *c)
{
	for (size_t i = 0; i < c->setting.n; i++) {
		struct writer_speed speed = { .setting = c->setting.at[i].name };
		if (add_writer(&speed, c))
			*vec_push(speeds) = speed;
	}
}
