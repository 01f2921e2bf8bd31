/* SPDX-License-Identifier: BSD-3-Clause */
/* delay.c - the costs of delays between processes: for each wait, which process came late, and in
 * which regions it had spent more time than the process that waited. After Boehme, Geimer, Arnold,
 * Voigtlaender, Wolf: Identifying the root causes of wait states in large-scale parallel
 * applications. One thread; owns nothing.
 *
 *            since                    enter                      until
 *     rank 0   |== work ==|===== serial =====|== work ==|~ Recv ~|== Send
 *     rank 1   |====== work ======|Recv ~~~~~~~~~~~~~~~~~~~~~~~~~~|
 *
 * Here rank 0 was longer in serial, and it waited for rank 2.
 *
 * The two processes met last at `since` (meetings.c). Their times from there on are compared node
 * by node: the victim's until it entered the operation, the culprit's until it came. The wait is
 * charged to the nodes in which the culprit spent more time than the victim, in proportion to the
 * excess. The culprit's own waits are such a node, too: their part is passed on to the processes
 * that the culprit waited for, which are charged with an indirect cost. A wait passes on only to
 * earlier waits, so the last wait is processed first.
 *
 * No node is charged with more than the time that the culprit spent in it. */
#include "causes/delay.h"

#include <stdlib.h>
#include <string.h>

#include "base/muldiv.h"
#include "causes/interval.h"
#include "causes/meetings.h"
#include "model/regions.h"

enum {
	MEETINGS_MOST = 64,   /* a search for the cause of a wait looks at so many meetings */
	WORTH_A_STRETCH = 32, /* a part of a wait below 1/32 of it gets no stretch of its own */
};

/* Times of a thread by node of the experiment. There are two more places: the last but one is for
 * OUTSIDE_MPI, the last one for the thread's waits. */
struct times { int64_t *ns; bool *estimated, *listed; VEC(uint32_t) used; uint32_t places; };
struct side { struct times *times; const struct process *p; };

struct costs {
	struct experiment *x;
	struct intervals intervals;
	struct times victim, culprit;
	/* what `culprit` holds */
	struct { uint32_t process, slot; int64_t from, to, waits_from; } known;
	struct meetings meetings;
	size_t *first_wait;      /* of each process, and the end */
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
		*vec_push(&x->causes.delay_cost) =
			(struct delay_cost){ .node = node, .leaf = leaf, .culprit = culprit,
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

static uint32_t place_unlocated(const struct times *t) { return t->places - 2; }
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
		  node == OUTSIDE_MPI ? place_unlocated(side->times) : side->p->global[node], ns,
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

/* The times of a thread between `from` and `to`. Its waits are taken out of the nodes; those that
 * ended after `waits_from` are added up in the last place. */
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

/* -- charging ---------------------------------------------------------------------------------- */

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
	return all > 0 ? muldiv(whole, part, all) : 0;
}

/* A part of a wait, and of the later waits that it caused. */
struct amount { int64_t ns, indirect; };

static struct amount amount_part(struct amount whole, int64_t part, int64_t all)
{
	return (struct amount){ part_of(whole.ns, part, all), part_of(whole.indirect, part, all) };
}

static void amount_take(struct amount *from, struct amount part)
{
	from->ns -= part.ns;
	from->indirect -= part.indirect;
}

static int64_t booked_ns(const struct wait_state *w) { return w->ns[0] + w->ns[1] + w->ns[2]; }

/* The amount goes to one node of the culprit's. */
static void attribute(struct costs *k, const struct wait_state *w, struct amount amount,
		      uint32_t culprit_node, bool estimated, bool waited)
{
	struct experiment *x = k->x;
	const struct process *p = &x->model.process.at[w->process];
	bool reachable = w->node != NONE && p->global[w->node] != NONE;
	uint32_t node = reachable ? p->global[w->node] : x->model.root;
	uint32_t culprit = unit_of(x, w->culprit, w->culprit_slot);
	struct amount left = amount;
	for (int i = 0; i < WAIT_STATE_PARTS && w->leaf[i] != O_NONE; i++) {
		bool last = i + 1 == WAIT_STATE_PARTS || w->leaf[i + 1] == O_NONE;
		struct amount part = last ? left : amount_part(amount, w->ns[i], booked_ns(w));
		amount_take(&left, part);
		if (!part.ns && !part.indirect)
			continue;
		struct delay_cost *cost = delay_cost_at(x, node, w->leaf[i], culprit, culprit_node);
		cost->ns += part.ns;
		cost->passed_ns += waited ? part.ns : 0;
		cost->indirect_ns += waited ? 0 : part.indirect;
		cost->wrong_order_ns += part_of(part.ns, w->wrong_order_ns, booked_ns(w));
		cost->estimated_ns += estimated || w->estimated ? part.ns : 0;
	}
}

/* No node is known. Before MPI_Init and after MPI_Finalize it is the run itself, because a program
 * does other things there than on average. */
static void attribute_unlocated(struct costs *k, const struct wait_state *w, struct amount amount)
{
	bool outside = w->node == NONE || w->leaf[0] == OSYNC_INIT;
	attribute(k, w, amount, outside ? k->x->model.root : NONE, true, false);
}

/* -- a stretch of time ------------------------------------------------------------------------- */

/* From one meeting to a later one, or to the wait: here the culprit fell behind. */
struct stretch { struct meeting from, to; int64_t waits_from; };

/* The amount is due to the culprit's own waits in the stretch. It goes to these waits, which pass
 * it on to the processes that the culprit waited for. */
static void propagate(struct costs *k, const struct wait_state *w, const struct stretch *s,
		      struct amount amount)
{
	int64_t to = s->to.culprit < w->until ? s->to.culprit : w->until - 1, all = 0;
	size_t first, end = find_waits(k, w->culprit, s->waits_from, to, &first);
	struct amount left = amount;
	const struct process *p = &k->x->model.process.at[w->culprit];
	for (size_t i = first; i < end; i++)
		if (k->x->match.wait_state.at[i].slot == w->culprit_slot)
			all += wait_within(&k->x->match.wait_state.at[i], s->waits_from);
	for (size_t i = first; i < end && all; i++) {
		const struct wait_state *own = &k->x->match.wait_state.at[i];
		if (own->slot != w->culprit_slot || own->node == NONE)
			continue;
		struct amount part = amount_part(amount, wait_within(own, s->waits_from), all);
		k->passed_on[i] += part.ns + part.indirect;
		attribute(k, w, part, p->global[own->node], false, true);
		amount_take(&left, part);
	}
	attribute_unlocated(k, w, left);
}

static void attribute_place(struct costs *k, const struct wait_state *w, const struct stretch *s,
			    uint32_t place, struct amount amount)
{
	if (place == place_waiting(&k->culprit))
		propagate(k, w, s, amount);
	else if (place == place_unlocated(&k->culprit))
		attribute_unlocated(k, w, amount);
	else
		attribute(k, w, amount, place, k->culprit.estimated[place], false);
}

/* Distributes the amount over the nodes in proportion to the excess. No node gets more than its
 * excess. The rest, and what rounding leaves, is charged without a node. */
static void split_by_excess(struct costs *k, const struct wait_state *w, const struct stretch *s,
			    struct amount amount)
{
	int64_t all = 0;
	for (size_t i = 0; i < k->culprit.used.n; i++)
		all += excess(k, k->culprit.used.at[i]);
	int64_t base = w->estimated || all > amount.ns ? all : amount.ns;
	struct amount left = amount;
	for (size_t i = 0; i < k->culprit.used.n && all; i++) {
		uint32_t place = k->culprit.used.at[i];
		struct amount part = amount_part(amount, excess(k, place), base);
		amount_take(&left, part);
		if (part.ns || part.indirect)
			attribute_place(k, w, s, place, part);
	}
	attribute_unlocated(k, w, left);
}

/* The next wait often has the same culprit and the same stretch: then the times are kept. */
static void collect_culprit(struct costs *k, const struct wait_state *w, const struct stretch *s)
{
	if (k->known.process != w->culprit || k->known.slot != w->culprit_slot ||
	    k->known.from != s->from.culprit || k->known.to != s->to.culprit ||
	    k->known.waits_from != s->waits_from)
		collect_times(k, &k->culprit, w->culprit, w->culprit_slot, s->from.culprit,
			      s->to.culprit, s->waits_from);
	k->known.process = w->culprit, k->known.slot = w->culprit_slot;
	k->known.from = s->from.culprit, k->known.to = s->to.culprit;
	k->known.waits_from = s->waits_from;
}

static void attribute_stretch(struct costs *k, const struct wait_state *w,
			      const struct stretch *s, struct amount amount)
{
	collect_times(k, &k->victim, w->process, w->slot, s->from.victim, s->to.victim,
		      s->from.victim);
	collect_culprit(k, w, s);
	split_by_excess(k, w, s, amount);
}

/* -- a wait ------------------------------------------------------------------------------------ */

/* How much later than the victim the culprit went on from a meeting. 0 if this is a small part of
 * the wait. */
static int64_t behind_at(const struct meeting *m, int64_t whole)
{
	int64_t ns = m->culprit - m->victim;
	return ns > whole / WORTH_A_STRETCH ? ns : 0;
}

/* A wait is as long as the culprit is behind at its end. If the culprit was behind already when the
 * two met last, this part of the wait is due to what the culprit did before that meeting, and so on
 * backwards.
 *
 * If the culprit held a lock from the beginning of the wait, its earlier waits did not delay the
 * victim. */
static void attribute_wait(struct costs *k, size_t index)
{
	const struct wait_state *w = &k->x->match.wait_state.at[index];
	int64_t whole = w->until - w->enter, behind = whole;
	struct amount all = { booked_ns(w), k->passed_on[index] }, left = all;
	struct meeting_walk walk = meetings_before(&k->meetings, w);
	struct stretch s = { .to = { w->enter, w->until } };
	for (int n = 1; left.ns || left.indirect; n++) {
		bool met = meetings_next(&walk, &s.from);
		bool last = !met || n == MEETINGS_MOST;
		int64_t before = last ? 0 : behind_at(&s.from, whole);
		if (!last && (s.from.culprit > s.to.culprit ||
			      (before && behind - before < whole / WORTH_A_STRETCH)))
			continue;
		struct amount part = before ? amount_part(all, behind - before, whole) : left;
		s.waits_from = s.from.culprit;
		if (w->held && s.to.culprit == w->until && w->enter > s.waits_from)
			s.waits_from = w->enter;
		attribute_stretch(k, w, &s, part);
		amount_take(&left, part);
		if (last || !before)
			break;
		behind = before;
		s.to = s.from;
	}
}

/* -- all of it --------------------------------------------------------------------------------- */

static void find_first_waits(struct costs *k)
{
	const struct experiment *x = k->x;
	size_t next = 0;
	for (uint32_t i = 0; i <= x->model.process.n; i++) {
		while (next < x->match.wait_state.n && x->match.wait_state.at[next].process < i)
			next++;
		k->first_wait[i] = next;
	}
}

struct wait_order { int64_t until; uint32_t culprit; size_t index; };

/* The last wait first. Waits for one operation are next to each other. */
static int last_wait_first(const void *va, const void *vb)
{
	const struct wait_order *a = va, *b = vb;
	if (a->until != b->until)
		return a->until > b->until ? -1 : 1;
	if (a->culprit != b->culprit)
		return a->culprit < b->culprit ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

void delay_costs(struct experiment *x)
{
	struct costs k = { .x = x, .known.process = NONE };
	uint32_t nodes = x->model.node.n;
	k.first_wait = mem_alloc(x->model.process.n + 1, sizeof *k.first_wait);
	intervals_init(&k.intervals, x);
	times_init(&k.victim, nodes);
	times_init(&k.culprit, nodes);
	meetings_init(&k.meetings, x);
	find_first_waits(&k);
	k.passed_on = mem_alloc(x->match.wait_state.n, sizeof *k.passed_on);
	struct wait_order *order = mem_alloc(x->match.wait_state.n + 1, sizeof *order);
	for (size_t i = 0; i < x->match.wait_state.n; i++)
		order[i] = (struct wait_order){ x->match.wait_state.at[i].until,
					 x->match.wait_state.at[i].culprit, i };
	qsort(order, x->match.wait_state.n, sizeof *order, last_wait_first);
	for (size_t i = 0; i < x->match.wait_state.n; i++)
		attribute_wait(&k, order[i].index);
	times_release(&k.victim);
	times_release(&k.culprit);
	intervals_release(&k.intervals);
	meetings_release(&k.meetings);
	free(order), free(k.passed_on), free(k.first_wait);
}

void causes_release(struct experiment_causes *c)
{
	vec_free(&c->delay_cost), map_free(&c->delay_cost_by_key);
	vec_free(&c->reported_wait), vec_free(&c->critical);
}
