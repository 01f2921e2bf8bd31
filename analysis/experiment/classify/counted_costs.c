/* SPDX-License-Identifier: BSD-3-Clause */
/* counted_costs.c - leaves that are counted, not timed (schema/costs.def). The number of events
 * times the cost of one event is taken from useful work. Owns nothing; called by one thread.
 *
 * A node's count includes the events in all nodes below it, whether these counted or not. So a
 * node's own events are its count minus the counts of the nearest nodes below it that counted. Its
 * own events happened in the node's ground. The ground is the node itself and the nodes below it,
 * without these nearest nodes and all nodes below them.
 *
 *      solver  L1 = 900          ground of solver: solver, sweep      its own: 900 - 500 = 400
 *      |- sweep                  (does not count)
 *      `- norm  L1 = 500         ground of norm: norm
 *
 * It is not known where in the ground the events happened. So their cost is distributed over the
 * nodes of the ground, in proportion to their useful work. At most all useful work of a node is
 * taken. If the costs of several leaves together exceed the useful work, each leaf gets a
 * proportional part. So time is only moved; no time is added.
 *
 * LIMIT: if fewer metrics were counted in the sequential run than in the parallel one, the useful
 * work of the sequential run contains the costs of the missing metrics. Then OADD_ALGO, OADD_COMP
 * and OLOSS_REPL are too small by these costs. The same metrics should be counted in both runs. */
#include "experiment/classify/classify_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "experiment/model/lost_metrics.h"

/* -- the cost of one event --------------------------------------------------------------------- */

struct price { double ns; const char *origin; };

static void take_measured(struct price *price, const char *text)
{
	for (int i = 0; i < SIS_COSTS; i++) {
		const char *name = sis_metric_table[sis_cost_table[i].metric].name;
		size_t length = strlen(name);
		if (strncmp(text, name, length) != 0 || text[length] != '\t')
			continue;
		double ns = strtod(text + length + 1, NULL);
		if (ns > 0 && ns < 1e9)
			price[i] = (struct price){ ns, "measured at the start of a process" };
	}
}

/* Finds the cost of one event of each kind. The user's setting overrides the measured value, and
 * the measured value overrides the table. */
static void find_prices(struct price *price, const struct profile *p)
{
	const char *list = profile_setting(p, "SIS_LATENCY");
	enum sis_cost cost;
	double ns;
	for (int i = 0; i < SIS_COSTS; i++)
		price[i] = (struct price){ sis_cost_table[i].ns,
					   "a usual value; set SIS_LATENCY to a better one" };
	for (size_t i = 0; i < p->text.n; i++)
		if (strcmp(p->text.at[i].kind, "cost") == 0)
			take_measured(price, p->text.at[i].text);
	while (list && sis_cost_next(&list, &cost, &ns))
		price[cost] = (struct price){ ns, "as SIS_LATENCY says" };
}

void warn_counted(const struct experiment_classify *c, warning_list *warnings)
{
	for (int i = 0; i < SIS_COSTS; i++) {
		const struct cost_range *range = &c->cost[i];
		char most[32] = "";
		if (!range->origin)
			continue;
		if (range->most > range->least)
			snprintf(most, sizeof most, " to %g", range->most);
		warnings_add_of(warnings, WARNING_COST,
				"%s is an estimate: %s times %g%s ns (%s), at "
				"most the work there",
				sis_overhead_table[sis_cost_table[i].leaf].name,
				sis_metric_table[sis_cost_table[i].metric].name, range->least, most,
				range->origin);
	}
}

/* -- counts of nodes --------------------------------------------------------------------------- */

/* The index of the metric in a set; -1 if the set does not contain it. */
static int index_in(const char *members, const char *metric)
{
	size_t length = strlen(metric);
	for (int i = 0; members && *members; i++) {
		size_t word = strcspn(members, ",");
		if (word == length && strncasecmp(members, metric, length) == 0)
			return i;
		members += word + (members[word] == ',');
	}
	return -1;
}

static bool is_in_a_set(const struct profile *p, const char *metric)
{
	for (size_t i = 0; i < p->text.n; i++) {
		const char *members = strchr(p->text.at[i].text, '\t');
		if (strcmp(p->text.at[i].kind, "set") == 0 && members &&
		    index_in(members + 1, metric) >= 0)
			return true;
	}
	return false;
}

struct counts { /* the counts of one metric in one process */
	const struct process *process;
	const char *metric;
	losses lost;
	const char *members; /* unused */
	uint32_t set;        /* the last set that was looked up; NONE: none */
	int index;           /* the index of the metric in this set */
};

/* Gets the node's count of the metric. Returns false if the node has none. */
static bool count_of(struct counts *c, uint32_t n, double *count)
{
	const struct profile *p = &c->process->profile;
	const struct profile_node *node = &p->node.at[n];
	if (node->values == NONE)
		return false;
	const struct profile_values *values = &p->values.at[node->values];
	if (values->set != c->set) {
		c->set = values->set;
		c->index = index_in(profile_text(p, "set", values->set), c->metric);
	}
	if (c->index < 0 || (uint32_t)c->index >= values->count ||
	    lost_metrics_contain(&c->lost, node->slot, c->metric, strlen(c->metric)))
		return false;
	*count = (double)p->sum.at[values->first + (uint32_t)c->index];
	return true;
}

/* Fills `share`: for each node, the part of its useful work that the events cost. Nodes without
 * events in their ground are unchanged. Returns whether any node counted. */
static bool find_shares(struct counts *c, double ns, const int64_t *useful, double *share)
{
	const struct process *process = c->process;
	size_t nodes = process->profile.node.n;
	/* by node: the node itself if it counted; else the nearest node above it that counted */
	uint32_t *ground = mem_alloc(nodes, sizeof *ground);
	double *own = mem_alloc(nodes, sizeof *own), *work = mem_alloc(nodes, sizeof *work), count;
	bool any = false;
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i], parent = process->profile.node.at[n].parent;
		uint32_t around = parent == NONE ? NONE : ground[parent];
		ground[n] = around;
		if (count_of(c, n, &count)) {
			any = true;
			ground[n] = n;
			own[n] += count;
			if (around != NONE)
				own[around] -= count;
		}
		if (ground[n] != NONE)
			work[ground[n]] += (double)useful[n];
	}
	for (size_t i = 0; any && i < process->ordered; i++) {
		uint32_t n = process->order[i], g = ground[n];
		if (g == NONE || own[g] <= 0 || work[g] <= 0)
			continue;
		double part = own[g] * ns / work[g];
		share[n] = part < 1 ? part : 1;
	}
	free(ground), free(own), free(work);
	return any;
}

/* -- taking the costs from useful work --------------------------------------------------------- */

static void book_shares(struct experiment_classify *c, const struct process *process,
			double *const *share, int64_t *useful)
{
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i],
			 pu = process->first_pu + process->profile.node.at[n].slot;
		double all = 0;
		int64_t had = useful[n];
		for (int k = 0; k < SIS_COSTS; k++)
			all += share[k] ? share[k][n] : 0;
		for (int k = 0; k < SIS_COSTS && all > 0; k++) {
			int64_t part = share[k] ?
				(int64_t)((double)had * share[k][n] / (all > 1 ? all : 1)) :
				0;
			part = part < useful[n] ? part : useful[n];
			classify_book(c, process->global[n], pu, sis_cost_table[k].leaf, part);
			useful[n] -= part;
		}
	}
}

void charge_counted(struct experiment_classify *c, const struct process *process, int64_t *useful)
{
	double *share[SIS_COSTS] = { NULL };
	struct price price[SIS_COSTS];
	struct counts counts = { .process = process };
	bool any = false;
	if (!process->profile.values.n)
		return;
	find_prices(price, &process->profile);
	losses_read(&counts.lost, &process->profile);
	for (int k = 0; k < SIS_COSTS; k++) {
		counts.metric = sis_metric_table[sis_cost_table[k].metric].name;
		counts.set = NONE;
		if (!is_in_a_set(&process->profile, counts.metric))
			continue;
		share[k] = mem_alloc(process->profile.node.n, sizeof **share);
		if (!find_shares(&counts, price[k].ns, useful, share[k]))
			continue;
		any = true;
		struct cost_range *range = &c->cost[k];
		double ns = price[k].ns;
		range->least = !range->origin || ns < range->least ? ns : range->least;
		range->most = !range->origin || ns > range->most ? ns : range->most;
		range->origin = price[k].origin;
	}
	if (any)
		book_shares(c, process, share, useful);
	for (int k = 0; k < SIS_COSTS; k++)
		free(share[k]);
	vec_free(&counts.lost);
}
