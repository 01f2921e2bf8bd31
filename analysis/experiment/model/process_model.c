/* SPDX-License-Identifier: BSD-3-Clause */
/* process_model.c - puts one process's trees into the experiment's call graph. Owns nothing; called
 * by one thread.
 *
 * Three ideas:
 * - A region is identified by its key, which is the same in all processes, threads and builds.
 * - A node is identified by its path. The tree of a team's member is attached at the node that
 *   forked the team (`origin`), so members have the same nodes as the initial thread.
 * - Time is handed down from the root. A node's time is at most the time that its parent has left.
 *   So exclusive times are never negative, and their sum is exactly the root's time. Time above
 *   this limit is added to clipped_ns of the processing unit, and reported. */
#include "experiment/model/process_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "experiment/model/estimates.h"
#include "experiment/model/lost_metrics.h"
#include "experiment/model/poll_times.h"
#include "experiment/model/regions.h"
#include "experiment/model/sampled_times.h"
#include "experiment/model/switched.h"

/* -- order of nodes ---------------------------------------------------------------------------- */

/* Lists the reachable nodes breadth first, so that parents come before children. `first` has each
 * node's offset in the list of children. */
static void order_nodes(struct process *process)
{
	const struct profile *p = &process->profile;
	size_t n = p->node.n;
	uint32_t *first = mem_alloc(n + 2, sizeof *first), *child = mem_alloc(n, sizeof *child);
	uint32_t *order = mem_alloc(n, sizeof *order);
	process->order = order;
	for (size_t i = 0; i < n; i++)
		if (p->node.at[i].reachable && p->node.at[i].parent != NONE)
			first[p->node.at[i].parent + 2]++;
	for (size_t i = 2; i < n + 2; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < n; i++)
		if (p->node.at[i].reachable && p->node.at[i].parent != NONE)
			child[first[p->node.at[i].parent + 1]++] = i;
	for (size_t i = 0; i < p->thread.n; i++)
		if (p->thread.at[i].root != NONE && p->node.at[p->thread.at[i].root].reachable)
			order[process->ordered++] = p->thread.at[i].root;
	for (size_t done = 0; done < process->ordered; done++) {
		uint32_t node = process->order[done];
		for (uint32_t c = first[node]; c < first[node + 1]; c++)
			order[process->ordered++] = child[c];
	}
	free(first);
	free(child);
}

/* -- times ------------------------------------------------------------------------------------- */

/* Whether the initial thread ended by pthread_exit, before the process. */
static bool initial_ended(const struct profile *p)
{
	for (size_t i = 0; i < p->life.n; i++)
		if (p->life.at[i].slot == 0 && !p->life.at[i].blocked)
			return true;
	return false;
}

/* The measured inclusive times of nodes: the time of ended activations, and that of the open
 * activation until the process's last sign of life. The root of the initial thread has the whole
 * life of the process, unless the thread ended earlier. The root of another slot has the time in
 * which threads filled the slot. */
static int64_t *measured_times(const struct experiment_model *m, const struct process *process,
			       const uint32_t *region)
{
	const struct profile *p = &process->profile;
	int64_t *own = mem_alloc(p->node.n, sizeof *own),
		life = process->end_ns - process->start_ns;
	bool *estimated = mem_alloc(p->node.n, sizeof *estimated), ended = initial_ended(p);
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i];
		const struct profile_node *node = &p->node.at[n];
		bool whole = !ended && node->parent == NONE && node->slot == 0;
		int64_t open = node->open && !node->untimed ?
			process->end_ns - clock_ns(&process->clock, node->start) : 0;
		own[n] = whole ? life :
			clock_span_ns(&process->clock, node->total) + (open > 0 ? open : 0);
		estimated[n] = p->head.timing > 1 && node->min < SIS_SHORT &&
			node->parent != NONE && node->values == NONE && !node->open &&
			sis_region_sampled(m->region.at[region[n]].type);
	}
	estimates_add(process, estimated, own);
	if (p->head.timing > 1 || p->estimate.n)
		sampled_settle(process, estimated, own);
	free(estimated);
	return own;
}

static void hand_down_times(struct experiment_model *m, struct process *process,
			    const uint32_t *region)
{
	const struct profile *p = &process->profile;
	int64_t life = process->end_ns - process->start_ns,
		*measured = measured_times(m, process, region);
	int64_t *incl = mem_alloc(p->node.n, sizeof *incl),
		*excl = mem_alloc(p->node.n, sizeof *excl);
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i], parent = p->node.at[n].parent;
		int64_t room = parent == NONE ? life : excl[parent], own = measured[n];
		struct pu *pu = &m->pu.fill.at[process->first_pu + p->node.at[n].slot];
		if (own > room) {
			pu->clipped_ns += own - room;
			own = room;
		}
		incl[n] = excl[n] = own;
		if (parent != NONE)
			excl[parent] -= own;
	}
	process->incl_ns = incl;
	process->excl_ns = excl;
	free(measured);
}

/* -- nodes of the experiment ------------------------------------------------------------------- */

static uint32_t global_node(struct experiment_model *m, uint32_t parent, uint32_t region)
{
	bool fresh;
	uint32_t node = map_put(&m->node_by_region, parent, region, m->node.n, &fresh);
	if (fresh)
		*vec_push(&m->node.fill) = (struct drg_node){
			.region = region, .parent = parent, .source = node,
		};
	return node;
}

/* Attaches a node to the experiment's call graph. Returns false if its origin or its parent is not
 * attached yet. */
static bool attach_node(struct experiment_model *m, const struct profile *p, uint32_t *global,
			uint32_t n, uint32_t region, bool last_try)
{
	const struct profile_node *node = &p->node.at[n];
	bool top = node->parent != NONE && p->node.at[node->parent].parent == NONE;
	if (top && node->origin != NONE && node->origin != n &&
	    p->node.at[node->origin].reachable) {
		uint32_t origin = global[node->origin];
		if (origin != NONE) {
			bool same = m->node.at[origin].region == region;
			global[n] = same ? origin : global_node(m, origin, region);
			return true;
		}
		if (!last_try)
			return false;
	}
	uint32_t parent = node->parent == NONE ? NONE : global[node->parent];
	if (node->parent != NONE && parent == NONE)
		return false;
	global[n] = global_node(m, parent, region);
	return true;
}

/* Attaches all nodes. The origin of a nested team may be in a slot that comes later, so passes over
 * the nodes are repeated. If a pass attaches no node, the next pass ignores missing origins. */
static void attach_nodes(struct experiment_model *m, struct process *process,
			 const uint32_t *region)
{
	size_t n = process->profile.node.n, attached = 0, before;
	uint32_t *global = mem_alloc(n, sizeof *global);
	process->global = global;
	memset(global, 0xff, n * sizeof *global);
	for (bool last_try = false; attached < process->ordered; last_try = attached == before) {
		before = attached;
		for (size_t i = 0; i < process->ordered; i++) {
			uint32_t node = process->order[i];
			attached += global[node] == NONE &&
				attach_node(m, &process->profile, global, node, region[node],
					    last_try);
		}
	}
}

/* -- summaries --------------------------------------------------------------------------------- */

static uint32_t metric_number(struct experiment_model *m, const char *name)
{
	bool fresh;
	uint32_t metric = strmap_put(&m->metric_by_name, name, m->metric.n, &fresh);
	if (fresh)
		*vec_push(&m->metric.fill) = mem_string(name);
	return metric;
}

static const char *set_members(const struct profile *p, uint32_t set)
{
	return profile_text(p, "set", set);
}

/* Whether a comma-separated list contains the word of `length` bytes. */
static bool list_has(const char *list, const char *word, size_t length)
{
	for (; list && *list; list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == length && strncasecmp(list, word, length) == 0)
			return true;
	return false;
}

/* Whether a node above this one counts the metric, too. */
static bool counted_above(const struct profile *p, uint32_t node, const char *name, size_t length)
{
	while ((node = p->node.at[node].parent) != NONE) {
		uint32_t values = p->node.at[node].values;
		if (values != NONE &&
		    list_has(set_members(p, p->values.at[values].set), name, length))
			return true;
	}
	return false;
}

static void add_values(struct experiment_model *m, const struct profile *p, const losses *lost,
		       uint32_t node, uint32_t summary)
{
	const struct profile_values *values = &p->values.at[p->node.at[node].values];
	const char *name = set_members(p, values->set);
	for (uint32_t i = 0; name && i < values->count && *name; i++) {
		char word[128];
		size_t length = strcspn(name, ",");
		snprintf(word, sizeof word, "%.*s", (int)length, name);
		bool missing = lost_metrics_contain(lost, p->node.at[node].slot, name, length);
		*vec_push(&m->value.fill) = (struct value){
			.summary = summary,
			.metric = metric_number(m, word),
			.sum = missing ? 0 : (int64_t)p->sum.at[values->first + i],
			.missing = missing,
			.nested = counted_above(p, node, name, length)
		};
		name += length + (name[length] == ',');
	}
}

/* Whether the node exists only because its region was entered while rules had turned it off. Such a
 * node has no activations. */
static bool was_off(const struct profile *p, const struct profile_node *node)
{
	for (size_t i = 0; !node->calls && i < p->switched.n; i++)
		if (p->switched.at[i].what == SIS_SWITCHED_REGION &&
		    p->switched.at[i].id == node->region)
			return true;
	return false;
}

/* Adds a node to its summary. `summary`: by node, the index of its summary; NONE if it has none.
 * The node's parent has been added before. */
static void add_summary(struct experiment_model *m, const struct process *process,
			const losses *lost, uint32_t *summary, uint32_t n)
{
	const struct profile *p = &process->profile;
	const struct profile_node *node = &p->node.at[n];
	summary[n] = NONE;
	if (was_off(p, node))
		return;
	uint32_t i = model_add_summary(m, process->global[n], process->first_pu + node->slot);
	summary[n] = i;
	struct summary *s = &m->summary.fill.at[i];
	int64_t min = clock_span_ns(&process->clock, node->min),
		max = clock_span_ns(&process->clock, node->max);
	s->calls += node->calls;
	s->incl_ns += process->incl_ns[n];
	s->excl_ns += process->excl_ns[n];
	s->min_ns = node->min <= node->max && min < s->min_ns ? min : s->min_ns;
	s->max_ns = node->min <= node->max && max > s->max_ns ? max : s->max_ns;
	s->open |= node->open;
	if (process->incl_variance) {
		s->incl_variance += process->incl_variance[n];
		s->excl_variance += process->excl_variance[n];
	}
	if (node->parent != NONE && summary[node->parent] != NONE)
		m->summary.fill.at[summary[node->parent]].subs += node->calls;
	if (node->values != NONE)
		add_values(m, p, lost, n, i);
}

/* Adds a user value. If several nodes of a process are one node of the experiment, their values are
 * added up. */
static void add_user_value(struct experiment_model *m, const struct process *process,
			   const struct profile_user_value *v)
{
	const struct profile *p = &process->profile;
	const char *name = profile_text(p, "value", v->id);
	bool fresh;
	if (!name || v->node == NONE || !p->node.at[v->node].reachable)
		return;
	uint32_t summary = model_summary(m, process->global[v->node],
					 process->first_pu + p->node.at[v->node].slot);
	uint32_t number = metric_number(m, name);
	uint32_t i = map_put(&m->user_value_by_key, summary, number, m->user_value.n, &fresh);
	if (fresh) {
		*vec_push(&m->user_value.fill) = (struct user_value){
			summary, number, v->count, v->sum, v->min, v->max,
		};
		return;
	}
	struct user_value *sum = &m->user_value.fill.at[i];
	sum->count += v->count;
	sum->sum += v->sum;
	sum->min = v->min < sum->min ? v->min : sum->min;
	sum->max = v->max > sum->max ? v->max : sum->max;
}

/* Whether the list contains the metric, or an overhead that is computed from the metric.
 * (rtlib/measure/counters/metric_set.c reads lists in the same way.) */
static bool list_asks(const char *list, const char *metric, size_t length)
{
	if (list_has(list, metric, length))
		return true;
	for (int i = 0; i < SIS_COSTS; i++) {
		const char *leaf = sis_overhead_table[sis_cost_table[i].leaf].name,
			   *local = sis_overhead_table[ODATA_LOC].name;
		if (sis_metric_by_name(metric, length) == sis_cost_table[i].metric)
			return list_has(list, leaf, strlen(leaf)) ||
				list_has(list, local, strlen(local));
	}
	return false;
}

/* The process could not measure a metric. Marks its value as missing in every node for which the
 * metric was requested. `text` begins with the metric's name. */
static void add_missing(struct experiment_model *m, const struct process *process, const char *text)
{
	const struct profile *p = &process->profile;
	const char *run = profile_setting(p, "SIS_PMETRIC");
	size_t length = strcspn(text, "\t");
	char *name = mem_print("%.*s", (int)length, text);
	for (size_t i = 0; i < process->ordered; i++) {
		uint32_t n = process->order[i], pu = process->first_pu + p->node.at[n].slot;
		const struct region *region = model_region(m, process->global[n]);
		if (!region->line_start ||
		    !list_asks(region->metrics[0] ? region->metrics : run, text, length))
			continue;
		uint32_t summary = model_summary(m, process->global[n], pu);
		if (summary == NONE)
			continue;
		*vec_push(&m->value.fill) = (struct value){
			.summary = summary, .metric = metric_number(m, name), .missing = true,
		};
	}
	free(name);
}

/* Adds a decision about a region's rung: a line `ID<TAB>RUNG<TAB>TICKS`. A line that has another
 * form is damaged, and is left out. */
static void add_decision(struct experiment_model *m, const struct process *process,
			 struct map *by_id, const char *line, warning_list *warnings)
{
	static const char *const rungs[] = { "full", "fraction", "sampled", "off" };
	char *at, *end;
	uint64_t id = strtoull(line, &at, 10);
	if (at == line || *at != '\t' || id == 0 || id > UINT32_MAX)
		return;
	const char *rung = at + 1;
	size_t length = strcspn(rung, "\t");
	uint64_t ticks = strtoull(rung + length, &end, 10);
	if (rung[length] != '\t' || *end)
		return;
	for (size_t i = 0; i < sizeof rungs / sizeof *rungs; i++)
		if (strlen(rungs[i]) == length && memcmp(rung, rungs[i], length) == 0)
			*vec_push(&m->turned_down.fill) = (struct turned_down){
				process->index, regions_find(m, process, by_id, (uint32_t)id,
							     warnings),
				rungs[i], clock_ns(&process->clock, ticks),
			};
}

int model_add_process(struct experiment_model *m, struct process *process, warning_list *warnings,
		      struct err *err)
{
	struct map by_id = { 0 };
	uint32_t *region = NULL, *summary = NULL;
	losses lost = { 0 };
	int rc = regions_add(m, process, &by_id, err);
	if (rc == 0) {
		const struct profile *p = &process->profile;
		losses_read(&lost, p);
		order_nodes(process);
		region = mem_alloc(p->node.n, sizeof *region);
		for (size_t i = 0; i < process->ordered; i++)
			region[process->order[i]] = regions_find(
				m, process, &by_id, p->node.at[process->order[i]].region, warnings);
		hand_down_times(m, process, region);
		estimates_errors(process);
		poll_times_move(process);
		attach_nodes(m, process, region);
		summary = mem_alloc(p->node.n, sizeof *summary);
		for (size_t i = 0; i < process->ordered; i++)
			add_summary(m, process, &lost, summary, process->order[i]);
		switched_add(m, process, &by_id, warnings);
		for (size_t i = 0; i < p->user_value.n; i++)
			add_user_value(m, process, &p->user_value.at[i]);
		for (size_t i = 0; i < p->text.n; i++)
			if (strcmp(p->text.at[i].kind, "missing") == 0)
				add_missing(m, process, p->text.at[i].text);
			else if (strcmp(p->text.at[i].kind, "rung") == 0)
				add_decision(m, process, &by_id, p->text.at[i].text, warnings);
	}
	vec_free(&lost);
	map_free(&by_id);
	free(region), free(summary);
	return rc;
}

/* -- after the last process -------------------------------------------------------------------- */

void model_find_root(struct experiment_model *m, warning_list *warnings)
{
	uint32_t region = regions_builtin(m, sis_region_table[RT_RUN].name, warnings);
	m->root = global_node(m, NONE, region);
}

void model_find_sources(struct experiment_model *m)
{
	for (uint32_t i = 0; i < m->node.n; i++) {
		uint32_t n = i;
		while (n != NONE && !model_region(m, n)->line_start &&
		       model_region(m, n)->type != CR_SAMPLED)
			n = m->node.at[n].parent;
		bool is_call = n != NONE && model_region(m, n)->type == CR_SAMPLED &&
			model_region(m, i)->routine;
		m->node.fill.at[i].source = n == NONE || is_call ? i : n;
	}
}
