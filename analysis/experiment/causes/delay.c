/* SPDX-License-Identifier: BSD-3-Clause */
/* delay.c - computes the costs of delays: for each single wait, finds the regions in which the
 * culprit had spent more time than the victim. After Boehme, Geimer, Arnold, Voigtlaender, Wolf:
 * Identifying the root causes of wait states in large-scale parallel applications. Called by one
 * thread; owns nothing.
 *
 *            since                    enter                      until
 *     rank 0   |== work ==|===== serial =====|== work ==|~ Recv ~|== Send
 *     rank 1   |====== work ======|Recv ~~~~~~~~~~~~~~~~~~~~~~~~~~|
 *
 * Here rank 1 is the victim and rank 0 the culprit. Rank 0 was late because it executed serial, and
 * because it waited for rank 2. Victim and culprit may also be threads of a process with a trace.
 *
 * Victim and culprit met last at `since` (meetings.c). Their times from `since` on are compared
 * node by node: the victim's times until the victim entered the operation, and the culprit's times
 * until the culprit came. The wait is charged to the nodes in which the culprit spent more time
 * than the victim, in proportion to the excess. All own waits of the culprit count as one such
 * node. Their part is passed on to the processes for which the culprit waited: these are charged
 * with an indirect cost. A wait is only passed on to earlier waits, so the waits are processed from
 * the last to the first.
 *
 * No node is charged with more than the time that the culprit spent in it (law.h). */
#include "experiment/causes/delay.h"

#include <stdlib.h>
#include <string.h>

#include "base/muldiv.h"
#include "base/sort.h"
#include "experiment/causes/cost_pieces.h"
#include "experiment/causes/idle_waits.h"
#include "experiment/causes/law.h"
#include "experiment/causes/meetings.h"
#include "experiment/causes/stretch_times.h"
#include "experiment/causes/wait_pairs.h"
#include "experiment/model/regions.h"

enum {
	MEETINGS_MOST = 64,   /* most meetings to which the search for a wait's cause goes back */
	WORTH_A_STRETCH = 32, /* a part of less than 1/32 of a wait gets no stretch of its own */
};

struct charge { uint32_t node; int64_t ns; };

struct costs {
	const struct experiment *x;
	struct experiment_causes *causes;
	struct intervals intervals;
	struct single_waits waits;
	struct lacks lacks;
	/* victim, culprit: their times in the current stretch. bound: times of the culprit in all
	 * stretches of the wait, for the law */
	struct stretch_times victim, culprit, bound;
	VEC(struct charge) charge; /* charges of the wait, without charges to the culprit's waits */
	bool divided;            /* a stretch of the wait is `divided` (stretch_times.h) */
	struct meetings meetings, team_meetings; /* meetings of processes; of threads */
	struct idle_waits idle;
	int64_t *passed_on;      /* by wait: cost of later waits that the wait caused */
	int64_t *passed_within;  /* the part of passed_on that is from waits within the interval */
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

/* -- charging an amount to a node -------------------------------------------------------------- */

/* How much longer the culprit was in the entry than the victim. An entry is a node, or one of the
 * two special entries of stretch_times.h. */
static int64_t excess(const struct costs *k, uint32_t entry)
{
	int64_t ns = k->culprit.ns[entry], other = k->victim.ns[entry];
	ns = ns > 0 ? ns : 0;
	other = other > 0 ? other : 0;
	return ns > other ? ns - other : 0;
}

static int64_t part_of(int64_t whole, int64_t part, int64_t all)
{
	return all > 0 ? muldiv(whole, part, all) : 0;
}

/* A part of a wait. indirect: the same part of the later waits that the wait caused. within: the
 * part of `indirect` that is from waits within the interval. */
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

/* Adds a part of a cost to the list of unlocated costs. The node of the culprit is not known. */
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

/* The cost of `ns` of the wait that are booked as its i-th leaf. It includes the time of the PUs
 * that were idle meanwhile. */
static int64_t cost_of(const struct costs *k, const struct wait_state *w, int i, int64_t ns)
{
	return idle_waits_with(&k->idle, w->process, node_of(k->x, w), w->leaf[i], ns);
}

/* The cost of `ns` of the wait, which are divided among its leaves. It includes the time of the
 * idle PUs. */
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

/* What the culprit did in a node: it worked, waited, or lacked a processor. */
enum doing { WORKED, WAITED, LACKED };

/* Charges the amount to one node of the culprit. The amount is divided among the leaves of the
 * wait. */
static void attribute(struct costs *k, const struct wait_state *w, struct amount amount,
		      uint32_t culprit_node, bool estimated, enum doing doing)
{
	const struct experiment *x = k->x;
	uint32_t node = node_of(x, w);
	uint32_t culprit = unit_of(x, w->culprit, w->culprit_slot),
		 victim = unit_of(x, w->process, w->slot);
	struct amount left = amount;
	bool waited = doing == WAITED;
	if (!waited && culprit_node != NONE && !w->estimated) {
		*vec_push(&k->charge) = (struct charge){ culprit_node, amount.ns };
		law_charge(x, k->causes, victim, culprit, culprit_node, amount.ns);
	}
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

/* Charges an amount whose node is not known. The amount of a wait in MPI_Init, or after the end of
 * a process, is charged to the root, because at these times a program does not do the same as on
 * average. Other amounts get no node. delay_unlocated.c distributes them over the regions of the
 * culprit. */
static void attribute_unlocated(struct costs *k, const struct wait_state *w, struct amount amount)
{
	bool outside = w->node == NONE || w->leaf[0] == OSYNC_INIT;
	attribute(k, w, amount, outside ? k->x->model.root : NONE, true, WORKED);
}

/* -- charging for a stretch -------------------------------------------------------------------- */

/* A time in which the culprit fell behind: from one meeting to a later one, or to the wait. Waits
 * of the culprit before waits_from do not count. */
struct stretch { struct meeting from, to; int64_t waits_from; };

/* Charges an amount that is due to the culprit's own waits in the stretch. These waits pass the
 * amount on to the processes and threads for which the culprit waited. */
static void propagate(struct costs *k, const struct wait_state *w, const struct stretch *s,
		      struct amount amount)
{
	int64_t to = s->to.culprit < w->until ? s->to.culprit : w->until - 1, all = 0;
	size_t first, end = single_waits_find(&k->waits, w->culprit, w->culprit_slot,
					      s->waits_from, to, &first);
	struct amount left = amount;
	const struct process *p = &k->x->model.process.at[w->culprit];
	const struct cost_pieces *interval = k->causes->interval;
	for (size_t i = first; i < end; i++)
		all += wait_within(&k->waits.wait.at[i], s->waits_from);
	for (size_t i = first; i < end && all; i++) {
		const struct wait_state *own = &k->waits.wait.at[i];
		if (own->node == NONE)
			continue;
		struct amount part = amount_part(amount, wait_within(own, s->waits_from), all);
		int64_t cost = whole_cost_of(k, w, part.ns);
		k->passed_on[i] += cost + part.indirect;
		if (interval)
			k->passed_within[i] += wait_part_within(interval, w, cost) + part.within;
		attribute(k, w, part, p->global[own->node], false, WAITED);
		amount_take(&left, part);
	}
	attribute_unlocated(k, w, left);
}

/* Charges an amount to a node, as far as the law allows. The rest gets no node. The amount may
 * exceed the law, because a trace and phases do not say how much of the time between polls was
 * moved to the polls in the profile. */
static void attribute_allowed(struct costs *k, const struct wait_state *w, uint32_t node,
			      struct amount amount, enum doing doing)
{
	int64_t allowed = w->estimated ? amount.ns :
		law_allowed(k->x, unit_of(k->x, w->process, w->slot),
			    unit_of(k->x, w->culprit, w->culprit_slot), node, amount.ns);
	struct amount part = allowed < amount.ns ? amount_part(amount, allowed, amount.ns) : amount;
	amount_take(&amount, part);
	attribute(k, w, part, node, k->culprit.estimated[node], doing);
	if (amount.ns)
		attribute_unlocated(k, w, amount);
}

/* Charges an amount that is due to the excess in a node. The amount is divided into work and the
 * lack of a processor. */
static void attribute_node(struct costs *k, const struct wait_state *w, uint32_t node,
			   struct amount amount)
{
	int64_t all = excess(k, node), lack = stretch_times_lack(&k->culprit, node) -
		stretch_times_lack(&k->victim, node);
	lack = lack < 0 ? 0 : lack < all ? lack : all;
	struct amount part = amount_part(amount, lack, all);
	if (part.ns || part.indirect)
		attribute_allowed(k, w, node, part, LACKED);
	amount_take(&amount, part);
	attribute_allowed(k, w, node, amount, WORKED);
}

/* Distributes the amount over the nodes in proportion to the excess in the stretch. A node gets at
 * most its excess, unless the wait is estimated. The rest is charged without a node. */
static void attribute_stretch(struct costs *k, const struct wait_state *w,
			      const struct stretch *s, struct amount amount)
{
	struct amount left = amount;
	int64_t all = 0;
	stretch_times_collect(&k->victim, &(struct thread_stretch){
		w->process, w->slot, s->from.victim, s->to.victim, s->from.victim });
	stretch_times_collect(&k->culprit, &(struct thread_stretch){
		w->culprit, w->culprit_slot, s->from.culprit, s->to.culprit, s->waits_from });
	k->divided |= k->culprit.divided;
	for (size_t i = 0; i < k->culprit.used.n; i++)
		all += excess(k, k->culprit.used.at[i]);
	int64_t base = w->estimated || all > amount.ns ? all : amount.ns;
	for (size_t i = 0; i < k->culprit.used.n && all; i++) {
		uint32_t entry = k->culprit.used.at[i];
		struct amount part = amount_part(amount, excess(k, entry), base);
		amount_take(&left, part);
		if (!part.ns && !part.indirect)
			continue;
		if (entry == entry_waiting(&k->culprit))
			propagate(k, w, s, part);
		else if (entry == entry_unlocated(&k->culprit))
			attribute_unlocated(k, w, part);
		else
			attribute_node(k, w, entry, part);
	}
	attribute_unlocated(k, w, left);
}

/* -- charging a wait --------------------------------------------------------------------------- */

/* A wait is as long as the time by which the culprit is behind the victim. If the culprit was
 * already behind when the two met last, a part of the wait is due to what the culprit did before
 * that meeting. The same holds for earlier meetings.
 *
 * A direct wait is due to what the culprit did during the wait. If the culprit held a lock from the
 * begin of the wait, waits of the culprit before that did not delay the victim.
 *
 * Returns the begin of the time whose nodes of the culprit were charged. */
static int64_t attribute_stretches(struct costs *k, size_t index)
{
	const struct wait_state *w = &k->waits.wait.at[index];
	const struct process *process = k->x->model.process.at;
	int64_t whole = w->until - w->enter, behind = whole;
	struct amount all = { booked_ns(w), k->passed_on[index], k->passed_within[index] },
		      left = all;
	struct meeting_walk walk = !w->among_threads ?
		meetings_before(&k->meetings, w->process, w->culprit, w->comm, w->enter) :
		meetings_before(&k->team_meetings, unit_of(k->x, w->process, w->slot),
				unit_of(k->x, w->culprit, w->culprit_slot), 0, w->enter);
	struct stretch s = { .to = { w->enter, w->until } };
	if (w->direct) {
		s.from = (struct meeting){ w->enter, w->enter };
		s.waits_from = w->enter;
		attribute_stretch(k, w, &s, all);
		return w->enter;
	}
	for (int n = 1; left.ns || left.indirect; n++) {
		bool met = meetings_next(&walk, &s.from), last = !met || n == MEETINGS_MOST;
		if (!met)
			s.from = (struct meeting){ process[w->process].start_ns,
						   process[w->culprit].start_ns };
		/* how far the culprit was behind at that meeting; if this is a small part of the
		 * wait, it counts as 0 */
		int64_t before = last ? 0 : s.from.culprit - s.from.victim;
		if (before <= whole / WORTH_A_STRETCH)
			before = 0;
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

/* Compares the charges of the wait with the culprit's times from `from` until the end of the wait.
 * Two kinds of waits are not checked. An estimated wait also stands for waits that were not
 * recorded, so its charges may exceed these times. In the other kind, time between polls was
 * divided: the division for each stretch may differ from the division for all stretches
 * together. */
static void check_law(struct costs *k, const struct wait_state *w, int64_t from)
{
	if (w->estimated)
		return;
	stretch_times_collect(&k->bound, &(struct thread_stretch){
		w->culprit, w->culprit_slot, from, w->until, w->until });
	if (k->divided || k->bound.divided)
		return;
	for (size_t i = 0; i < k->charge.n; i++) {
		const struct charge *c = &k->charge.at[i];
		int64_t spent = k->bound.ns[c->node];
		if (k->x->model.node.at[c->node].parent != NONE)
			law_violation(k->causes, c->ns - (spent > 0 ? spent : 0));
	}
}

/* -- charging all waits ------------------------------------------------------------------------ */

struct wait_order { int64_t until; uint32_t culprit; size_t index; };

/* Puts the last wait first. Waits for the same culprit in one operation come one after the other,
 * so that stretch_times_collect can reuse times. */
static int last_wait_first(const void *va, const void *vb)
{
	const struct wait_order *a = va, *b = vb;
	return -ORDER(a->until, b->until) ?: ORDER(a->culprit, b->culprit) ?:
		ORDER(a->index, b->index);
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
	struct wait_order *order = mem_alloc(k.waits.wait.n + 1, sizeof *order);
	const struct wait_state *wait = k.waits.wait.at;
	for (size_t i = 0; i < k.waits.wait.n; i++)
		order[i] = (struct wait_order){ wait[i].until, wait[i].culprit, i };
	qsort(order, k.waits.wait.n, sizeof *order, last_wait_first);
	for (size_t i = 0; i < k.waits.wait.n; i++) {
		k.charge.n = 0;
		k.divided = false;
		int64_t from = attribute_stretches(&k, order[i].index);
		check_law(&k, &wait[order[i].index], from);
	}
	free(order);
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
	map_free(&c->charged_by_key), vec_free(&c->charged_ns), free(c->probes_ns);
}
