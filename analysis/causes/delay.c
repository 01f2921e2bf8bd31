/* SPDX-License-Identifier: BSD-3-Clause */
/* delay.c - the costs of delays: for each wait between processes who came late, and in which
 * regions that one had spent more time than who waited. After Boehme, Geimer, Arnold, Voigtlaender,
 * Wolf: Identifying the root causes of wait states in large-scale parallel applications. One
 * thread; owns nothing.
 *
 *            since                    enter                      until
 *     rank 0   |== work ==|===== serial =====|== work ==|~ Recv ~|== Send
 *     rank 1   |====== work ======|Recv ~~~~~~~~~~~~~~~~~~~~~~~~~~|
 *
 * Here rank 0 was longer in serial, and it waited for rank 2.
 *
 * From the last time that both met until each came, the time of both is compared node by node. What
 * the culprit had more is the cause, each node in proportion. Of that, waits of its own are others'
 * fault: that part is passed on to them, and shared out there as an indirect cost. A wait passes on
 * only to earlier ones, so the last is taken first. */
#include "causes/delay.h"

#include <stdlib.h>
#include <string.h>

#include "causes/interval.h"
#include "model/process_model.h"
#include "model/regions.h"

/* that are looked at for a common one: further back the times are less alike anyway */
enum { MEETINGS_MOST = 1000 };

/* Time of a unit by node of the experiment; the last but one place is for OUTSIDE_MPI, the last for
 * its waits. */
struct times { int64_t *ns; bool *estimated, *listed; VEC(uint32_t) used; uint32_t places; };
struct side { struct times *times; const struct process *p; };

struct costs {
	struct experiment *x;
	struct intervals intervals;
	struct times victim, culprit;
	/* what `culprit` holds */
	struct { uint32_t process, slot; int64_t from, to, waits_from; } known;
	size_t *first_sync_point, *first_wait; /* of each process, and the end */
	int64_t *passed_on;      /* to each wait, from those that it caused */
};

struct delay_cost *delay_cost_at(struct experiment *x, uint32_t node, enum sis_overhead leaf,
				 uint32_t culprit, uint32_t culprit_node)
{
	bool fresh;
	uint32_t i = map_put(&x->causes.delay_cost_by_key, (uint64_t)node * SIS_OVERHEADS + leaf,
			     (uint64_t)culprit << 32 | culprit_node, x->causes.delay_cost.n,
			     &fresh);
	if (fresh)
		*vec_push(&x->causes.delay_cost) = (struct delay_cost){ .node = node, .leaf = leaf,
			.culprit = culprit,
								 .culprit_node = culprit_node };
	return &x->causes.delay_cost.at[i];
}

void delay_charge(struct experiment *x, uint32_t node, uint32_t culprit, uint32_t culprit_node,
		  int64_t ns)
{
	if (ns <= 0)
		return;
	enum sis_overhead leaf = region_leaf(region_of_node(x, node));
	struct delay_cost *cost = delay_cost_at(x, node, leaf, culprit, culprit_node);
	bool waited = sis_overhead_in(region_leaf(region_of_node(x, culprit_node)),
				      OSYNC);
	cost->ns += ns;
	cost->passed_ns += waited ? ns : 0;
	cost->estimated_ns += ns;
}

/* -- times ------------------------------------------------------------------------------------- */

static void times_init(struct times *t, uint32_t nodes)
{
	t->places = nodes + 2;
	t->ns = mem_alloc(t->places, sizeof *t->ns);
	t->estimated = mem_alloc(t->places, sizeof *t->estimated);
	t->listed = mem_alloc(t->places, sizeof *t->listed);
}

static void times_clear(struct times *t)
{
	for (size_t i = 0; i < t->used.n; i++) {
		t->ns[t->used.at[i]] = 0;
		t->estimated[t->used.at[i]] = t->listed[t->used.at[i]] = false;
	}
	t->used.n = 0;
}

static void times_release(struct times *t)
{
	free(t->ns), free(t->estimated), free(t->listed);
	vec_free(&t->used);
}

static uint32_t charge_unlocated(const struct times *t) { return t->places - 2; }
static uint32_t place_waiting(const struct times *t) { return t->places - 1; }

static void times_add(struct times *t, uint32_t place, int64_t ns, bool exact)
{
	if (!t->listed[place])
		*vec_push(&t->used) = place;
	t->listed[place] = true;
	t->ns[place] += ns;
	t->estimated[place] |= !exact;
}

static void take_time(void *arg, uint32_t node, int64_t ns, bool exact)
{
	const struct side *side = arg;
	times_add(side->times,
		  node == OUTSIDE_MPI ? charge_unlocated(side->times) : side->p->global[node], ns,
		  exact);
}

/* The process's waits that ended after `from`, and no later than `to`: [*first, the result). */
static size_t find_waits(const struct costs *k, uint32_t process, int64_t from, int64_t to,
			 size_t *first)
{
	const struct wait_state *at = k->x->match.wait_state.at;
	size_t low = k->first_wait[process], high = k->first_wait[process + 1];
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (at[middle].until <= from)
			low = middle + 1;
		else
			high = middle;
	}
	*first = low;
	while (low < k->first_wait[process + 1] && at[low].until <= to)
		low++;
	return low;
}

static int64_t wait_within(const struct wait_state *w, int64_t from)
{
	return w->until - (w->enter > from ? w->enter : from);
}

/* What the unit did, its waits apart from all else, and only those since `waits_from` of
 * interest. */
static void collect_times(struct costs *k, struct times *t, uint32_t process, uint32_t slot,
			  int64_t from, int64_t to, int64_t waits_from)
{
	struct side side = { t, &k->x->model.process.at[process] };
	size_t first, end = find_waits(k, process, from, to, &first);
	times_clear(t);
	if (from >= to)
		return;
	interval_for_each(&k->intervals, process, slot, from, to, take_time, &side);
	for (size_t i = first; i < end; i++) {
		const struct wait_state *w = &k->x->match.wait_state.at[i];
		if (w->slot != slot || w->node == NONE || side.p->global[w->node] == NONE)
			continue;
		times_add(t, side.p->global[w->node], -wait_within(w, from), true);
		if (w->until > waits_from)
			times_add(t, place_waiting(t), wait_within(w, waits_from), true);
	}
}

/* -- since when -------------------------------------------------------------------------------- */

static int by_process_and_end(const void *va, const void *vb)
{
	const struct sync_point *a = va, *b = vb;
	return a->process != b->process ? (a->process > b->process) - (a->process < b->process) :
		(a->end > b->end) - (a->end < b->end);
}

/* The process's last sync point that was over at `time`, as an index of which the process's first
 * one is 1; 0: none. */
static size_t last_sync_point(const struct costs *k, uint32_t process, int64_t time)
{
	size_t low = k->first_sync_point[process], high = k->first_sync_point[process + 1];
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (k->x->match.sync_point.at[middle].end <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low - k->first_sync_point[process];
}

/* If there is none among so many, the last of these; NULL: none at all. */
static const struct sync_point *find_common(const struct costs *k, const struct wait_state *l)
{
	const struct sync_point *at = k->x->match.sync_point.at + k->first_sync_point[l->process];
	size_t i = last_sync_point(k, l->process, l->enter);
	for (size_t steps = 1; i > 0; steps++) {
		const struct sync_point *m = &at[--i];
		if (m->other == l->culprit ||
		    (m->other == NONE && (m->comm == 0 || m->comm == l->comm)) ||
		    steps == MEETINGS_MOST)
			return m;
	}
	return NULL;
}

/* When each of the two went on from there; from its start when they had not met before. */
static void find_since(const struct costs *k, const struct wait_state *l, int64_t *since,
		       int64_t *culprit_since)
{
	const struct sync_point *m = find_common(k, l),
				*at = k->x->match.sync_point.at + k->first_sync_point[l->culprit];
	size_t i = last_sync_point(k, l->culprit, l->until);
	*since = m ? m->end : k->x->model.process.at[l->process].start_ns;
	*culprit_since = m ? m->end : k->x->model.process.at[l->culprit].start_ns;
	for (size_t steps = 0; m && i > 0 && steps < MEETINGS_MOST; steps++)
		if (at[--i].operation == m->operation) {
			*culprit_since = at[i].end;
			return;
		}
}

/* -- sharing out ------------------------------------------------------------------------------- */

static uint32_t unit_of(const struct experiment *x, uint32_t process, uint32_t slot)
{
	const struct process *p = &x->model.process.at[process];
	return p->first_pu + (slot < p->slots ? slot : 0);
}

static int64_t excess(const struct costs *k, uint32_t place)
{
	int64_t ns = k->culprit.ns[place], other = k->victim.ns[place];
	ns = ns > 0 ? ns : 0;
	other = other > 0 ? other : 0;
	return ns > other ? ns - other : 0;
}

static int64_t part_of(int64_t whole, int64_t part, int64_t all)
{
	return all > 0 ? (int64_t)((__int128)whole * part / all) : 0;
}

/* `ns` of the wait, and what it is to pass on, go to one node of the culprit's. */
static void attribute(struct costs *k, const struct wait_state *l, int64_t ns, int64_t indirect,
		      uint32_t culprit_node, bool estimated, bool waited)
{
	struct experiment *x = k->x;
	const struct process *p = &x->model.process.at[l->process];
	uint32_t node = l->node == NONE || p->global[l->node] == NONE ? model_root(x) :
									p->global[l->node];
	uint32_t culprit = unit_of(x, l->culprit, l->culprit_slot);
	int64_t all = l->ns[0] + l->ns[1] + l->ns[2], left = ns, left_indirect = indirect;
	for (int i = 0; i < WAIT_STATE_PARTS && l->leaf[i] != O_NONE; i++) {
		bool last = i + 1 == WAIT_STATE_PARTS || l->leaf[i + 1] == O_NONE;
		int64_t part = last ? left : part_of(ns, l->ns[i], all),
			far = last ? left_indirect : part_of(indirect, l->ns[i], all);
		left -= part;
		left_indirect -= far;
		if (!part && !far)
			continue;
		struct delay_cost *cost = delay_cost_at(x, node, l->leaf[i], culprit, culprit_node);
		cost->ns += part;
		cost->passed_ns += waited ? part : 0;
		cost->indirect_ns += waited ? 0 : far;
		cost->wrong_order_ns += l->wrong_order ? part : 0;
		cost->estimated_ns += estimated || l->estimated ? part : 0;
	}
}

/* Before MPI_Init and after MPI_Finalize a program does something else than on the whole. */
static uint32_t unlocated_node(struct experiment *x, const struct wait_state *l)
{
	return l->node == NONE || l->leaf[0] == OSYNC_INIT ? model_root(x) : NONE;
}

/* The culprit waited itself: for whom its earlier waits were. */
static void propagate(struct costs *k, const struct wait_state *l, int64_t ns, int64_t indirect,
		      int64_t since)
{
	size_t first, end = find_waits(k, l->culprit, since, l->until - 1, &first);
	int64_t all = 0, left = ns, left_indirect = indirect;
	const struct process *p = &k->x->model.process.at[l->culprit];
	for (size_t i = first; i < end; i++)
		all += k->x->match.wait_state.at[i].slot == l->culprit_slot ?
			wait_within(&k->x->match.wait_state.at[i], since) :
			0;
	for (size_t i = first; i < end && all; i++) {
		const struct wait_state *w = &k->x->match.wait_state.at[i];
		if (w->slot != l->culprit_slot || w->node == NONE)
			continue;
		int64_t part = part_of(ns, wait_within(w, since), all),
			far = part_of(indirect, wait_within(w, since), all);
		k->passed_on[i] += part + far;
		attribute(k, l, part, far, p->global[w->node], false, true);
		left -= part;
		left_indirect -= far;
	}
	attribute(k, l, left, left_indirect, unlocated_node(k->x, l), true, false);
}

/* By node in proportion to the excess; rounding goes to where it is not known. */
static void split_by_excess(struct costs *k, const struct wait_state *l, int64_t ns,
			    int64_t indirect, int64_t since)
{
	int64_t all = 0, left = ns, left_indirect = indirect;
	for (size_t i = 0; i < k->culprit.used.n; i++)
		all += excess(k, k->culprit.used.at[i]);
	for (size_t i = 0; i < k->culprit.used.n && all; i++) {
		uint32_t place = k->culprit.used.at[i];
		int64_t more = excess(k, place), part = part_of(ns, more, all),
			far = part_of(indirect, more, all);
		bool last = i + 1 == k->culprit.used.n;
		if (!more && !last)
			continue;
		part = last ? left : part;
		far = last ? left_indirect : far;
		left -= part;
		left_indirect -= far;
		if (place == place_waiting(&k->culprit))
			propagate(k, l, part, far, since);
		else
			attribute(k, l, part, far,
				  place == charge_unlocated(&k->culprit) ? unlocated_node(k->x, l) :
									   place,
				  k->culprit.estimated[place], false);
	}
	attribute(k, l, left, left_indirect, unlocated_node(k->x, l), true, false);
}

/* A lock was the culprit's from the beginning of the wait on: what it had waited before is nobody's
 * loss here. */
static void attribute_wait(struct costs *k, size_t index)
{
	const struct wait_state *l = &k->x->match.wait_state.at[index];
	int64_t since, culprit_since;
	find_since(k, l, &since, &culprit_since);
	int64_t waits_from = l->held && l->enter > culprit_since ? l->enter : culprit_since;
	collect_times(k, &k->victim, l->process, l->slot, since, l->enter, since);
	if (k->known.process != l->culprit || k->known.slot != l->culprit_slot ||
	    k->known.from != culprit_since || k->known.to != l->until ||
	    k->known.waits_from != waits_from)
		collect_times(k, &k->culprit, l->culprit, l->culprit_slot, culprit_since, l->until,
			      waits_from);
	k->known.process = l->culprit, k->known.slot = l->culprit_slot;
	k->known.from = culprit_since, k->known.to = l->until, k->known.waits_from = waits_from;
	split_by_excess(k, l, l->ns[0] + l->ns[1] + l->ns[2], k->passed_on[index], waits_from);
}

/* -- all of it --------------------------------------------------------------------------------- */

static int by_process_and_until(const void *va, const void *vb)
{
	const struct wait_state *a = va, *b = vb;
	return a->process != b->process ? (a->process > b->process) - (a->process < b->process) :
		(a->until > b->until) - (a->until < b->until);
}

/* Processes that ended wait for the one that ends last. */
static void add_ends(struct experiment *x)
{
	size_t last = 0;
	for (size_t i = 0; i < x->model.process.n; i++)
		last = x->model.process.at[i].end_ns > x->model.process.at[last].end_ns ? i : last;
	for (size_t i = 0; i < x->model.process.n; i++) {
		int64_t ns = x->model.end_ns - x->model.process.at[i].end_ns;
		if (ns > 0)
			*vec_push(&x->match.wait_state) = (struct wait_state){
				.process = i,
				.node = NONE,
				.culprit = last,
				.enter = x->model.process.at[i].end_ns,
				.until = x->model.end_ns,
				.leaf = { OSYNC_FINWAIT },
				.ns = { ns }
			};
	}
}

#define FIND_FIRST(list, first) do { \
	size_t next = 0; \
	for (uint32_t i = 0; i <= x->model.process.n; i++) { \
		while (next < (list).n && (list).at[next].process < i) \
			next++; \
		(first)[i] = next; \
	} \
} while (0)

static void sort_all(struct costs *k)
{
	struct experiment *x = k->x;
	add_ends(x);
	if (x->match.sync_point.n)
		qsort(x->match.sync_point.at, x->match.sync_point.n, sizeof *x->match.sync_point.at,
		      by_process_and_end);
	if (x->match.wait_state.n)
		qsort(x->match.wait_state.at, x->match.wait_state.n, sizeof *x->match.wait_state.at,
		      by_process_and_until);
	FIND_FIRST(x->match.sync_point, k->first_sync_point);
	FIND_FIRST(x->match.wait_state, k->first_wait);
}

struct turn { int64_t until; uint32_t culprit; size_t index; };

/* The last first, and those of one operation together. */
static int by_turn(const void *va, const void *vb)
{
	const struct turn *a = va, *b = vb;
	if (a->until != b->until)
		return a->until > b->until ? -1 : 1;
	if (a->culprit != b->culprit)
		return a->culprit < b->culprit ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

void delay_costs(struct experiment *x)
{
	struct costs k = { .x = x, .known.process = NONE };
	uint32_t nodes = (model_root(x), x->model.node.n);
	k.first_sync_point = mem_alloc(x->model.process.n + 1, sizeof *k.first_sync_point);
	k.first_wait = mem_alloc(x->model.process.n + 1, sizeof *k.first_wait);
	intervals_init(&k.intervals, x);
	times_init(&k.victim, nodes);
	times_init(&k.culprit, nodes);
	sort_all(&k);
	k.passed_on = mem_alloc(x->match.wait_state.n, sizeof *k.passed_on);
	struct turn *turn = mem_alloc(x->match.wait_state.n + 1, sizeof *turn);
	for (size_t i = 0; i < x->match.wait_state.n; i++)
		turn[i] = (struct turn){ x->match.wait_state.at[i].until,
					 x->match.wait_state.at[i].culprit, i };
	qsort(turn, x->match.wait_state.n, sizeof *turn, by_turn);
	for (size_t i = 0; i < x->match.wait_state.n; i++)
		attribute_wait(&k, turn[i].index);
	times_release(&k.victim);
	times_release(&k.culprit);
	intervals_release(&k.intervals);
	free(turn), free(k.passed_on), free(k.first_sync_point), free(k.first_wait);
}

void causes_release(struct experiment_causes *c)
{
	vec_free(&c->delay_cost), map_free(&c->delay_cost_by_key);
	vec_free(&c->reported_wait), vec_free(&c->critical);
}
