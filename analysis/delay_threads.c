/* delay_threads.c - the costs of delays among the threads of a process. One thread; owns nothing.
 *
 * At a barrier the runtime measures how long threads wait for each other, not for whom. So culprits are estimated from
 * what each thread did in the whole team: it is the one that waited least there, in what it spent more time on than who
 * waited; at a critical construct those who were inside, as long as they were: of waits of which the runtime
 * itself did not tell (delay_told.c). */
#include "delay.h"

#include <stdlib.h>

#include "regions.h"

struct item { uint32_t team, process, node, pu; int64_t ns; }; /* own time of a unit in a node of a team */
struct team_part { /* one team node in one process: its items, by node */
	struct experiment *x;
	const struct item *item;
	size_t n;
	uint32_t first_pu, units;
	int64_t *wait;           /* of each unit, at the place in question */
};

static enum sis_region_type type_of(const struct experiment *x, uint32_t node)
{
	return x->region.at[x->node.at[node].region].type;
}

static bool is_barrier_wait(const struct experiment *x, uint32_t node)
{
	enum sis_region_type type = type_of(x, node);
	return type == RT_IBAR || type == RT_EBAR || type == RT_UNPAR || type == RT_PART;
}

static int64_t own_ns(const struct experiment *x, uint32_t node, uint32_t pu)
{
	uint32_t s = experiment_summary(x, node, pu);
	return s == INDEX_NONE ? 0 : x->summary.at[s].excl_ns;
}

static void blame(struct experiment *x, uint32_t node, uint32_t culprit, uint32_t culprit_node, int64_t ns)
{
	if (ns <= 0)
		return;
	enum sis_overhead leaf = region_leaf(&x->region.at[x->node.at[node].region]);
	struct delay_cost *cost = delay_cost_at(x, node, leaf, culprit, culprit_node);
	bool waited = sis_overhead_in(region_leaf(&x->region.at[x->node.at[culprit_node].region]), OSYNC);
	cost->ns += ns;
	cost->passed_ns += waited ? ns : 0;
	cost->estimated_ns += ns;
}

/* -- barriers ---------------------------------------------------------------------------------------------- */

/* What `culprit` did more than `pu` in the node, unless that is waiting at the barrier in question. */
static int64_t excess(const struct team_part *t, uint32_t place, uint32_t node, uint32_t culprit, uint32_t pu)
{
	const struct experiment *x = t->x;
	if (is_barrier_wait(x, node) && x->node.at[node].parent == place)
		return 0;
	int64_t ns = own_ns(x, node, culprit) - own_ns(x, node, pu);
	return ns > 0 ? ns : 0;
}

/* A unit's wait `node` below `place`: what is beyond the culprit's excess has no culprit. */
static void share_barrier(const struct team_part *t, uint32_t place, uint32_t node, uint32_t pu, uint32_t culprit,
			  int64_t ns)
{
	int64_t all = 0;
	for (size_t i = 0; i < t->n; i++)
		if (i == 0 || t->item[i].node != t->item[i - 1].node)
			all += excess(t, place, t->item[i].node, culprit, pu);
	if (all <= 0)
		return;
	int64_t explained = ns < all ? ns : all;
	for (size_t i = 0; i < t->n; i++)
		if (i == 0 || t->item[i].node != t->item[i - 1].node)
			blame(t->x, node, culprit, t->item[i].node,
			      (__int128)explained * excess(t, place, t->item[i].node, culprit, pu) / all);
}

/* All barrier waits below one place belong together. */
static void judge_barrier(const struct team_part *t, uint32_t place)
{
	uint32_t least = 0;
	for (uint32_t u = 0; u < t->units; u++)
		t->wait[u] = 0;
	for (size_t i = 0; i < t->n; i++)
		if (is_barrier_wait(t->x, t->item[i].node) && t->x->node.at[t->item[i].node].parent == place)
			t->wait[t->item[i].pu - t->first_pu] += t->item[i].ns;
	for (size_t i = 0; i < t->n; i++) /* only who is in the team at all */
		if (i == 0 || t->wait[t->item[i].pu - t->first_pu] < t->wait[least])
			least = t->item[i].pu - t->first_pu;
	for (size_t i = 0; i < t->n; i++) {
		const struct item *item = &t->item[i];
		if (item->pu != t->first_pu + least && is_barrier_wait(t->x, item->node) && t->x->node.at[item->node].parent == place)
			share_barrier(t, place, item->node, item->pu, t->first_pu + least, item->ns);
	}
}

/* -- critical constructs ------------------------------------------------------------------------------------- */

static bool is_inside(const struct experiment *x, uint32_t node, uint32_t construct)
{
	for (; node != NONE && node > construct; node = x->node.at[node].parent)
		if (type_of(x, node) == RT_CRITICAL)
			return false;
	return node == construct;
}

/* One unit's wait at the construct, among the others by their time inside. */
static void judge_critical(const struct team_part *t, const struct item *wait)
{
	uint32_t construct = t->x->node.at[wait->node].parent;
	int64_t all = 0, unknown = wait->ns - delay_told_ns(t->x, wait->node, wait->pu);
	for (size_t i = 0; i < t->n; i++)
		all += t->item[i].pu != wait->pu && is_inside(t->x, t->item[i].node, construct) ? t->item[i].ns : 0;
	int64_t explained = unknown < all ? unknown : all;
	for (size_t i = 0; i < t->n && all > 0; i++)
		if (t->item[i].pu != wait->pu && is_inside(t->x, t->item[i].node, construct))
			blame(t->x, wait->node, t->item[i].pu, t->item[i].node, (__int128)explained * t->item[i].ns / all);
}

/* -- teams --------------------------------------------------------------------------------------------------- */

static void judge_team(struct team_part *t)
{
	const struct process *p = &t->x->process.at[t->item[0].process];
	struct map seen = { 0 };
	t->first_pu = p->first_pu;
	t->units = p->slots;
	t->wait = mem_alloc(t->units, sizeof *t->wait);
	for (size_t i = 0; i < t->n; i++) {
		bool fresh = false;
		if (is_barrier_wait(t->x, t->item[i].node))
			map_put(&seen, t->x->node.at[t->item[i].node].parent, 0, 0, &fresh);
		if (fresh)
			judge_barrier(t, t->x->node.at[t->item[i].node].parent);
		if (type_of(t->x, t->item[i].node) == RT_CRITICAL)
			judge_critical(t, &t->item[i]);
	}
	free(t->wait);
	map_free(&seen);
}

/* For each node the innermost team around it; NONE: it is serial. Parents come before children. */
static uint32_t *innermost_teams(const struct experiment *x)
{
	uint32_t *team = mem_alloc(x->node.n, sizeof *team);
	for (uint32_t n = 0; n < x->node.n; n++) {
		enum sis_region_type type = type_of(x, n);
		uint32_t parent = x->node.at[n].parent;
		bool forks = type == CR_OMPPA || type == CR_OMPPAFOR || type == CR_OMPPASEC || type == RT_PARALLEL;
		team[n] = forks ? n : parent == NONE ? NONE : team[parent];
	}
	return team;
}

static int by_team_process_and_node(const void *va, const void *vb)
{
	const struct item *a = va, *b = vb;
	return a->team != b->team ? (a->team > b->team) - (a->team < b->team) :
		a->process != b->process ? (a->process > b->process) - (a->process < b->process) :
		a->node != b->node ? (a->node > b->node) - (a->node < b->node) : (a->pu > b->pu) - (a->pu < b->pu);
}

void delay_costs_of_threads(struct experiment *x)
{
	uint32_t *team = innermost_teams(x);
	VEC(struct item) item = { 0 };
	for (size_t i = 0; i < x->summary.n; i++) {
		const struct summary *s = &x->summary.at[i];
		if (team[s->node] != NONE && s->excl_ns > 0)
			*vec_push(&item) = (struct item){ team[s->node], x->pu.at[s->pu].process, s->node, s->pu, s->excl_ns };
	}
	if (item.n)
		qsort(item.at, item.n, sizeof *item.at, by_team_process_and_node);
	for (size_t first = 0, end; first < item.n; first = end) {
		for (end = first + 1; end < item.n && item.at[end].team == item.at[first].team &&
		     item.at[end].process == item.at[first].process;)
			end++;
		struct team_part part = { .x = x, .item = &item.at[first], .n = end - first };
		judge_team(&part);
	}
	vec_free(&item);
	free(team);
}
