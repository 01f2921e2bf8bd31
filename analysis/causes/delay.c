/* SPDX-License-Identifier: BSD-3-Clause */
/* delay.c - the costs of delays: for each single wait, which process or thread came late, and in
 * which regions it had spent more time than the one that waited. After Boehme, Geimer, Arnold,
 * Voigtlaender, Wolf: Identifying the root causes of wait states in large-scale parallel
 * applications. One thread; owns nothing.
 *
 *            since                    enter                      until
 *     rank 0   |== work ==|===== serial =====|== work ==|~ Recv ~|== Send
 *     rank 1   |====== work ======|Recv ~~~~~~~~~~~~~~~~~~~~~~~~~~|
 *
 * Here rank 0 was longer in serial, and it waited for rank 2. The two may also be threads of a
 * process with a trace.
 *
 * The two met last at `since` (meetings.c). Their times from there on are compared node
 * by node: the victim's until it entered the operation, the culprit's until it came. The wait is
 * charged to the nodes in which the culprit spent more time than the victim, in proportion to the
 * excess. The culprit's own waits are such a node, too: their part is passed on to the processes
 * that the culprit waited for, which are charged with an indirect cost. A wait passes on only to
 * earlier waits, so the last wait is processed first.
 *
 * No node is charged with more than the time that the culprit spent in it (law.h). */
#include "causes/delay.h"

#include <stdlib.h>
#include <string.h>

#include "base/muldiv.h"
#include "base/sort.h"
#include "causes/cost_pieces.h"
#include "causes/idle_waits.h"
#include "causes/law.h"
#include "causes/meetings.h"
#include "causes/stretch_times.h"
#include "causes/wait_pairs.h"
#include "model/regions.h"

enum {
	MEETINGS_MOST = 64,   /* a search for the cause of a wait looks at so many meetings */
	WORTH_A_STRETCH = 32, /* a part of a wait below 1/32 of it gets no stretch of its own */
};

struct charge { uint32_t node; int64_t ns; };

struct costs {
	const struct experiment *x;
	struct experiment_causes *causes;
	struct intervals intervals;
	struct single_waits waits;
	struct lacks lacks;
	/* of the last stretch; from the wait's first stretch until its end, for the law */
	struct stretch_times victim, culprit, bound;
	VEC(struct charge) charge; /* of the wait: to nodes that the culprit did not wait in */
	struct meetings meetings, team_meetings; /* of processes; of threads */
	struct idle_waits idle;
	int64_t *passed_on;      /* to each wait, from those that it caused */
	int64_t *passed_within;  /* of it: from waits within the interval */
};

struct delay_cost *delay_cost_at(struct experiment_causes *c, uint32_t node, enum sis_overhead leaf,
				 uint32_t culprit, uint32_t culprit_node)
{
	bool fresh;
	uint32_t i = map_put(&c->delay_cost_by_key, (uint64_t)node * SIS_OVERHEADS + leaf,
			     (uint64_t)culprit << 32 | culprit_node, c->delay_cost.n,
			     &fresh);
	if (fresh)
		*vec_push(&c->delay_cost) =
			(struct delay_cost){ .node = node, .leaf = leaf, .culprit = culprit,
					     .culprit_node = culprit_node };
	return &c->delay_cost.at[i];
}

void delay_charge(const struct experiment *x, struct experiment_causes *c, uint32_t node,
		  uint32_t pu, uint32_t culprit, uint32_t culprit_node, int64_t ns)
{
	ns = law_allowed(x, pu, culprit, culprit_node, ns);
	if (ns <= 0)
		return;
	law_charge(x, c, pu, culprit, culprit_node, ns);
	enum sis_overhead leaf = region_leaf(region_of_node(x, node));
	struct delay_cost *cost = delay_cost_at(c, node, leaf, culprit, culprit_node);
	bool waited = sis_overhead_in(region_leaf(region_of_node(x, culprit_node)),
				      OSYNC);
	wait_pair_add(c, cost, pu, ns, 0);
	cost->passed_ns += waited ? ns : 0;
	cost->estimated_ns += ns;
}

/* -- charging ---------------------------------------------------------------------------------- */

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

/* A part of a wait, and of the later waits that it caused; within: because of those in the
 * interval. */
struct amount { int64_t ns, indirect, within; };

static struct amount amount_part(struct amount whole, int64_t part, int64_t all)
{
	return (struct amount){ part_of(whole.ns, part, all), part_of(whole.indirect, part, all),
				part_of(whole.within, part, all) };
}

static void amount_take(struct amount *from, struct amount part)
{
	from->ns -= part.ns;
	from->indirect -= part.indirect;
	from->within -= part.within;
}

static int64_t booked_ns(const struct wait_state *w) { return w->ns[0] + w->ns[1] + w->ns[2]; }

/* A part of a cost without a node. */
static void add_unlocated(struct experiment_causes *c, const struct unlocated_cost *part)
{
	bool fresh;
	uint32_t i = map_put(&c->unlocated_by_key, part->cost, part->victim, c->unlocated.n,
			     &fresh);
	if (fresh)
		*vec_push(&c->unlocated) = (struct unlocated_cost){ .cost = part->cost,
								    .victim = part->victim };
	struct unlocated_cost *sum = &c->unlocated.at[i];
	sum->ns += part->ns;
	sum->cost_ns += part->cost_ns;
	sum->indirect_ns += part->indirect_ns;
	sum->wrong_order_ns += part->wrong_order_ns;
}

static uint32_t node_of(const struct experiment *x, const struct wait_state *w)
{
	const uint32_t *global = x->model.process.at[w->process].global;
	bool reachable = w->node != NONE && global[w->node] != NONE;
	return reachable ? global[w->node] : x->model.root;
}

/* What `ns` of the wait, booked as its i-th leaf, cost with the PUs that were idle meanwhile. */
static int64_t cost_of(const struct costs *k, const struct wait_state *w, int i, int64_t ns)
{
	return idle_waits_with(&k->idle, w->process, node_of(k->x, w), w->leaf[i], ns);
}

/* The same of all its leaves together. */
static int64_t whole_cost_of(const struct costs *k, const struct wait_state *w, int64_t ns)
{
	int64_t left = ns, cost = 0;
	for (int i = 0; i < WAIT_STATE_PARTS && w->leaf[i] != O_NONE; i++) {
		int64_t part = part_of(ns, w->ns[i], booked_ns(w));
		cost += cost_of(k, w, i, part);
		left -= part;
	}
	return cost + left;
}

/* What the culprit did in a node: it worked, or it waited itself, or it had no processor. */
enum doing { WORKED, WAITED, LACKED };

/* The amount goes to one node of the culprit. */
static void attribute(struct costs *k, const struct wait_state *w, struct amount amount,
		      uint32_t culprit_node, bool estimated, enum doing doing)
{
	const struct experiment *x = k->x;
	uint32_t node = node_of(x, w);
	uint32_t culprit = unit_of(x, w->culprit, w->culprit_slot),
		 victim = unit_of(x, w->process, w->slot);
	struct amount left = amount;
	bool waited = doing == WAITED;
	if (!waited && culprit_node != NONE)
		*vec_push(&k->charge) = (struct charge){ culprit_node, amount.ns };
	for (int i = 0; i < WAIT_STATE_PARTS && w->leaf[i] != O_NONE; i++) {
		bool last = i + 1 == WAIT_STATE_PARTS || w->leaf[i + 1] == O_NONE;
		struct amount part = last ? left : amount_part(amount, w->ns[i], booked_ns(w));
		amount_take(&left, part);
		if (!part.ns && !part.indirect)
			continue;
		struct delay_cost *cost = delay_cost_at(k->causes, node, w->leaf[i], culprit,
							culprit_node);
		int64_t ns = cost_of(k, w, i, part.ns);
		wait_pair_add(k->causes, cost, victim, part.ns, ns - part.ns);
		cost->passed_ns += waited ? ns : 0;
		cost->indirect_ns += waited ? 0 : part.indirect;
		cost->no_processor_ns += doing == LACKED ? ns : 0;
		cost->examined_ns += culprit_node == NONE ? 0 : ns;
		int64_t wrong_order = part_of(ns, w->wrong_order_ns, booked_ns(w));
		cost->wrong_order_ns += wrong_order;
		cost->estimated_ns += estimated || w->estimated ? ns : 0;
		if (culprit_node == NONE)
			add_unlocated(k->causes, &(struct unlocated_cost){
				(uint32_t)(cost - k->causes->delay_cost.at), victim, part.ns, ns,
				part.indirect, wrong_order });
		else if (k->causes->interval)
			cost_pieces_add(k->causes->interval, w, &(struct cost_piece){
				.node = node, .leaf = w->leaf[i], .culprit = culprit,
				.culprit_node = culprit_node, .victim = victim,
				.ns = part.ns, .idle_ns = ns - part.ns,
				.indirect_ns = waited ? 0 : part.indirect,
				.indirect_within_ns = waited ? 0 : part.within });
	}
}

/* Charges an amount whose node is not known. A wait in MPI_Init or after the end of a process is
 * charged to the root, because a program does other things then than on average. Other amounts get
 * no node; delay_unlocated.c distributes them over the regions of the culprit. */
static void attribute_unlocated(struct costs *k, const struct wait_state *w, struct amount amount)
{
	bool outside = w->node == NONE || w->leaf[0] == OSYNC_INIT;
	attribute(k, w, amount, outside ? k->x->model.root : NONE, true, WORKED);
}

/* -- a stretch of time ------------------------------------------------------------------------- */

/* From one meeting to a later one, or to the wait: here the culprit fell behind. */
struct stretch { struct meeting from, to; int64_t waits_from; };

/* The amount is due to the wait with this index: its own causes get it as an indirect cost. */
static void pass_on(struct costs *k, const struct wait_state *w, size_t index, struct amount amount)
{
	const struct cost_pieces *interval = k->causes->interval;
	int64_t cost = whole_cost_of(k, w, amount.ns);
	k->passed_on[index] += cost + amount.indirect;
	if (interval)
		k->passed_within[index] += wait_part_within(interval, w, cost) + amount.within;
}

/* The amount is due to the culprit's own waits in the stretch. It goes to these waits, which pass
 * it on to the processes and threads that the culprit waited for. */
static void propagate(struct costs *k, const struct wait_state *w, const struct stretch *s,
		      struct amount amount)
{
	int64_t to = s->to.culprit < w->until ? s->to.culprit : w->until - 1, all = 0;
	size_t first, end = single_waits_find(&k->waits, w->culprit, w->culprit_slot,
					      s->waits_from, to, &first);
	struct amount left = amount;
	const struct process *p = &k->x->model.process.at[w->culprit];
	for (size_t i = first; i < end; i++)
		all += wait_within(&k->waits.wait.at[i], s->waits_from);
	for (size_t i = first; i < end && all; i++) {
		const struct wait_state *own = &k->waits.wait.at[i];
		if (own->node == NONE)
			continue;
		struct amount part = amount_part(amount, wait_within(own, s->waits_from), all);
		pass_on(k, w, i, part);
		attribute(k, w, part, p->global[own->node], false, WAITED);
		amount_take(&left, part);
	}
	attribute_unlocated(k, w, left);
}

/* The amount is due to the excess in a node: to work, and to the lack of a processor. */
static void attribute_node(struct costs *k, const struct wait_state *w, uint32_t node,
			   struct amount amount)
{
	int64_t all = excess(k, node), lack = stretch_times_lack(&k->culprit, node) -
		stretch_times_lack(&k->victim, node);
	lack = lack < 0 ? 0 : lack < all ? lack : all;
	struct amount part = amount_part(amount, lack, all);
	if (part.ns || part.indirect)
		attribute(k, w, part, node, k->culprit.estimated[node], LACKED);
	amount_take(&amount, part);
	attribute(k, w, amount, node, k->culprit.estimated[node], WORKED);
}

static void attribute_place(struct costs *k, const struct wait_state *w, const struct stretch *s,
			    uint32_t place, struct amount amount)
{
	if (place == place_waiting(&k->culprit))
		propagate(k, w, s, amount);
	else if (place == place_unlocated(&k->culprit))
		attribute_unlocated(k, w, amount);
	else
		attribute_node(k, w, place, amount);
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

static void attribute_stretch(struct costs *k, const struct wait_state *w,
			      const struct stretch *s, struct amount amount)
{
	stretch_times_collect(&k->victim, &(struct thread_stretch){
		w->process, w->slot, s->from.victim, s->to.victim, s->from.victim });
	stretch_times_collect(&k->culprit, &(struct thread_stretch){
		w->culprit, w->culprit_slot, s->from.culprit, s->to.culprit, s->waits_from });
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

static struct meeting_walk walk_meetings(const struct costs *k, const struct wait_state *w)
{
	if (!w->among_threads)
		return meetings_before(&k->meetings, w->process, w->culprit, w->comm, w->enter);
	return meetings_before(&k->team_meetings, unit_of(k->x, w->process, w->slot),
			       unit_of(k->x, w->culprit, w->culprit_slot), 0, w->enter);
}

/* False: it is the start of both. */
static bool next_meeting(const struct costs *k, const struct wait_state *w,
			 struct meeting_walk *walk, struct meeting *meeting)
{
	if (meetings_next(walk, meeting))
		return true;
	meeting->victim = k->x->model.process.at[w->process].start_ns;
	meeting->culprit = k->x->model.process.at[w->culprit].start_ns;
	return false;
}

/* A wait is as long as the culprit is behind at its end. If the culprit was behind already when the
 * two met last, this part of the wait is due to what the culprit did before that meeting, and so on
 * backwards.
 *
 * A direct wait is due to what the culprit did during the wait. If the culprit held a lock from the
 * beginning of the wait, its earlier waits did not delay the victim.
 *
 * Returns the time from which on the culprit was looked at. */
static int64_t attribute_stretches(struct costs *k, size_t index)
{
	const struct wait_state *w = &k->waits.wait.at[index];
	int64_t whole = w->until - w->enter, behind = whole;
	struct amount all = { booked_ns(w), k->passed_on[index], k->passed_within[index] },
		      left = all;
	struct meeting_walk walk = walk_meetings(k, w);
	struct stretch s = { .to = { w->enter, w->until } };
	if (w->direct) {
		s.from = (struct meeting){ w->enter, w->enter };
		s.waits_from = w->enter;
		attribute_stretch(k, w, &s, all);
		return w->enter;
	}
	for (int n = 1; left.ns || left.indirect; n++) {
		bool met = next_meeting(k, w, &walk, &s.from);
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
	return s.from.culprit;
}

/* Compares what was charged for the wait with what the culprit did from `from` on. An estimated
 * wait also stands for waits that were not recorded, so it may be longer, and is left out. */
static void check_law(struct costs *k, const struct wait_state *w, int64_t from)
{
	uint32_t victim = unit_of(k->x, w->process, w->slot),
		 culprit = unit_of(k->x, w->culprit, w->culprit_slot);
	if (w->estimated)
		return;
	stretch_times_collect(&k->bound, &(struct thread_stretch){
		w->culprit, w->culprit_slot, from, w->until, w->until });
	for (size_t i = 0; i < k->charge.n; i++) {
		const struct charge *c = &k->charge.at[i];
		if (k->x->model.node.at[c->node].parent != NONE)
			law_violation(k->causes, c->ns - k->bound.ns[c->node]);
		law_charge(k->x, k->causes, victim, culprit, c->node, c->ns);
	}
}

static void attribute_wait(struct costs *k, size_t index)
{
	k->charge.n = 0;
	int64_t from = attribute_stretches(k, index);
	check_law(k, &k->waits.wait.at[index], from);
}

/* -- all of it --------------------------------------------------------------------------------- */

struct wait_order { int64_t until; uint32_t culprit; size_t index; };

/* The last wait first. Waits for one operation are next to each other. */
static int last_wait_first(const void *va, const void *vb)
{
	const struct wait_order *a = va, *b = vb;
	return -ORDER(a->until, b->until) ?: ORDER(a->culprit, b->culprit) ?:
		ORDER(a->index, b->index);
}

static void attribute_all(struct costs *k)
{
	struct wait_order *order = mem_alloc(k->waits.wait.n + 1, sizeof *order);
	const struct wait_state *wait = k->waits.wait.at;
	size_t n = k->waits.wait.n;
	for (size_t i = 0; i < n; i++)
		order[i] = (struct wait_order){ wait[i].until, wait[i].culprit, i };
	qsort(order, n, sizeof *order, last_wait_first);
	for (size_t i = 0; i < n; i++)
		attribute_wait(k, order[i].index);
	free(order);
}

void delay_costs(const struct experiment *x, struct experiment_causes *c,
		 const struct thread_waits *threads)
{
	struct costs k = { .x = x, .causes = c };
	intervals_init(&k.intervals, x, threads->timelines);
	single_waits_init(&k.waits, x, threads);
	lacks_init(&k.lacks, x);
	stretch_times_init(&k.victim, &k.intervals, &k.waits, &k.lacks);
	stretch_times_init(&k.culprit, &k.intervals, &k.waits, &k.lacks);
	stretch_times_init(&k.bound, &k.intervals, &k.waits, &k.lacks);
	meetings_init(&k.meetings, x->match.sync_point.at, x->match.sync_point.n,
		      x->model.process.n);
	meetings_init(&k.team_meetings, threads->point.at, threads->point.n, x->model.pu.n);
	idle_waits_init(&k.idle, x);
	k.passed_on = mem_alloc(k.waits.wait.n + 1, sizeof *k.passed_on);
	k.passed_within = mem_alloc(k.waits.wait.n + 1, sizeof *k.passed_within);
	attribute_all(&k);
	stretch_times_release(&k.victim);
	stretch_times_release(&k.culprit);
	stretch_times_release(&k.bound);
	lacks_release(&k.lacks);
	intervals_release(&k.intervals);
	meetings_release(&k.meetings);
	meetings_release(&k.team_meetings);
	idle_waits_release(&k.idle);
	single_waits_release(&k.waits);
	vec_free(&k.charge);
	free(k.passed_on), free(k.passed_within);
}

void causes_release(struct experiment_causes *c)
{
	vec_free(&c->delay_cost), map_free(&c->delay_cost_by_key);
	vec_free(&c->wait_pair), map_free(&c->wait_pair_by_key);
	vec_free(&c->unlocated), map_free(&c->unlocated_by_key);
	vec_free(&c->reported_wait), vec_free(&c->reported_at_barrier), vec_free(&c->critical);
	map_free(&c->charged_by_key), vec_free(&c->charged_ns);
}
