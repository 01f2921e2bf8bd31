/* SPDX-License-Identifier: BSD-3-Clause */
/* classify.c - divides the wall time T_p of each PU: T_p = useful work + leaves. Called by one
 * thread.
 *
 * The tables of schema/ say which leaf the exclusive time of a region belongs to. Then some time is
 * moved to other leaves. Waits (experiment/match/) are taken from the leaf of the call. The cost of
 * probes is taken from useful work or, in a node of another leaf, from this leaf. The cost of cache
 * misses and page faults (counted_costs.c) is taken from useful work. The time without a processor
 * (no_processor.c) is taken from useful work, and from a few leaves such as data movement. No step
 * adds time, so the sum remains the one that process_model.c computed. */
#include "experiment/classify/classify.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/sort.h"
#include "experiment/classify/classify_internal.h"
#include "experiment/classify/pair_costs.h"
#include "experiment/classify/uncontended.h"

/* Books the exclusive time of a node and returns the part that is useful work. `cost`: the time of
 * synchronizing operations without contention; `probes`: the cost of probes. Both are in ns. */
static int64_t book_node(const struct experiment *x, struct experiment_classify *c,
			 const struct process *process, uint32_t n, int64_t cost, double probes)
{
	const struct profile_node *node = &process->profile.node.at[n];
	uint32_t global = process->global[n], pu = process->first_pu + node->slot;
	enum sis_overhead leaf = x->model.node.at[global].leaf;
	int64_t left = process->excl_ns[n];
	const struct waits *w = waits_of_node(x, process, n);
	for (int i = 0; w && i < WAIT_LEAVES && w->leaf[i] != O_NONE; i++) {
		int64_t part = smaller(w->ns[i], left);
		classify_book(c, global, pu, w->leaf[i], part);
		left -= part;
	}
	if (leaf == O_NONE)
		return left;
	cost = smaller(cost, left);
	int64_t part = smaller((int64_t)probes, sis_overhead_in(leaf, OSYNC) ? cost : left);
	classify_book(c, global, pu, OPROBE, part);
	left -= part;
	cost -= smaller(cost, part);
	classify_book(c, global, pu, OSYNC_UNCONT, cost);
	left -= cost;
	classify_book(c, global, pu, leaf, left);
	return 0;
}

struct reading { uint32_t set; double ns; }; /* the last set that was looked up */

/* The cost of reading counters for an activation, as far as it is in the region around the
 * activation. At enter, counters are read before the clock; at leave, after the clock. Wrappers of
 * MPI read the clock first at enter, so this reading of counters is part of the call. */
static double reading_ns(const struct experiment *x, const struct process *process, uint32_t n,
			 struct reading *last)
{
	const struct profile *p = &process->profile;
	if (p->node.at[n].values == NONE)
		return 0;
	uint32_t set = p->values.at[p->node.at[n].values].set;
	if (set != last->set) {
		const char *text = profile_text(p, "reading", set);
		double ns = text ? strtod(text, NULL) : 0;
		*last = (struct reading){ set, ns > 0 && ns < 1e9 ? ns : 0 };
	}
	if (last->ns == 0)
		return 0;
	bool wrapped = sis_region_in(region_of_node(x, process->global[n])->type,
				     CR_MPI);
	return (wrapped ? 1 : 2) * last->ns;
}

/* Finds the cost of probes in each node. A pair of probes costs time inside the region that it
 * times, and outside, in the region around it. Both parts look like time of the program.
 * poll_times.c has taken the time between polls from the nodes around the polls. The time that was
 * taken contains the outside part of the cost. So it is subtracted from the cost in these nodes.
 *
 * In a node that folds, most activations are inside other activations of the node. So the node gets
 * the outside part, too. Folded activations read no counters.
 * LIMIT: a folded pair costs some 10 to 20 ns more than a calibrated pair. The difference counts as
 * work of the region.
 *
 * LIMIT: the pair is calibrated around work in which each step waits for the step before
 * (process/calibrate.c). Other work may hide less or more of the pair's cost. If probes keep the
 * loads of an activation from overlapping with those of the next one, the pair cost 45 ns, although
 * 18 ns were calibrated. If probes keep the compiler from turning a recursion into a loop, the pair
 * cost 26 to 30 ns, including the loss of that optimization. Reading the clock once more, before or
 * after the pair, would not show the cost. It would measure how long the program's loads take: 60
 * ns in that recursion, and 8 ns around those loads. */
static double *probes_of_nodes(const struct experiment *x, const struct process *process)
{
	const struct profile *p = &process->profile;
	double *cost = mem_alloc(p->node.n, sizeof *cost);
	struct reading last = { NONE, 0 };
	struct pair_cost *pair = pair_costs(x, process);
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i], parent = p->node.at[n].parent;
		if (parent == NONE)
			continue;
		double reading = (double)p->node.at[n].calls * reading_ns(x, process, n, &last);
		cost[n] += pair[n].inside;
		if (p->node.at[n].folds)
			cost[n] += pair[n].outside;
		else
			cost[parent] += pair[n].outside + reading;
	}
	free(pair);
	for (size_t i = 0; process->between_ns && i < process->ordered; i++) {
		uint32_t n = process->order[i];
		cost[n] -= smaller(process->between_ns[n], (int64_t)cost[n]);
	}
	return cost;
}

static void classify_process(const struct experiment *x, struct experiment_classify *c,
			     const struct process *process)
{
	const struct profile *p = &process->profile;
	double *probes = probes_of_nodes(x, process);
	int64_t *useful = mem_alloc(p->node.n, sizeof *useful),
		*cost = uncontended_costs(x, process, probes);
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i];
		useful[n] = book_node(x, c, process, n, cost[n], probes[n]);
	}
	free(cost);
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i], pu = process->first_pu + p->node.at[n].slot;
		int64_t part = smaller((int64_t)probes[n], useful[n]);
		classify_book(c, process->global[n], pu, OPROBE, part);
		useful[n] -= part;
	}
	free(probes);
	charge_counted(c, process, useful);
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i], pu = process->first_pu + p->node.at[n].slot;
		uint32_t s = experiment_summary(x, process->global[n], pu);
		if (s == INDEX_NONE) /* the node was never entered */
			continue;
		c->useful_ns.fill.at[s] += useful[n];
		c->pu.fill.at[pu].useful_ns += useful[n];
	}
	charge_idle(x, c, process);
	free(useful);
}

int64_t classify_identity_error(const struct experiment *x, uint32_t pu)
{
	const struct pu_time *time = &x->classify.pu.at[pu];
	int64_t difference = time->useful_ns + time->leaves_ns - experiment_t_p(x);
	return (difference < 0 ? -difference : difference) + x->model.pu.at[pu].clipped_ns;
}

int64_t classify_tolerance(const struct experiment *x)
{
	return 1000 + experiment_t_p(x) / 1000000000;
}

void classify(const struct experiment *x, struct experiment_classify *c, warning_list *warnings)
{
	vec_alloc(&c->pu.fill, x->model.pu.n);
	vec_alloc(&c->useful_ns.fill, x->model.summary.n);
	for (size_t i = 0; i < x->model.process.n; i++)
		classify_process(x, c, &x->model.process.at[i]);
	take_no_processor(x, c);
	take_asleep(x, c);
	warn_no_processor(x, warnings);
	warn_counted(c, warnings);
	for (uint32_t i = 0; i < x->model.pu.n; i++) {
		int64_t error = classify_identity_error(x, i);
		if (error > classify_tolerance(x))
			warnings_add(warnings,
				     "bookkeeping of process %" PRIu32 " thread "
				     "%" PRIu32 " is off by %.9f s: useful work and overheads "
				     "are not its wall time",
				     x->model.pu.at[i].process, x->model.pu.at[i].slot,
				     (double)error / 1e9);
	}
}

void classify_release(struct experiment_classify *c)
{
	vec_free(&c->pu), vec_free(&c->useful_ns);
	vec_free(&c->booking), index_free(&c->booking_by_key), vec_free(&c->idle_wait);
	vec_free(&c->idle_cost), map_free(&c->idle_cost_by_key);
}
