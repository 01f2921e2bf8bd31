/* SPDX-License-Identifier: BSD-3-Clause */
/* leaf_parts.c - divides the times of a unit among leaves. Owns the list of bookings, and the times
 * of one unit; called by one thread.
 *
 * The trace says how long a unit was in each node. The bookings say to which leaves this time
 * belongs in the whole run. Single waits are known exactly, and are subtracted from both the
 * trace's times and the bookings. Two lists of times by node are left. They have the same sum:
 *
 *     trace, whole run   trace, interval     bookings, whole run
 *     work      6 s      4 s                 work      useful 5 s, OLOSS_NOCPU 1 s
 *     MPI_Test  1 s      1 s                 MPI_Test  OSYNC_LATESEND 3 s
 *     main      3 s      0 s                 main      useful 1 s
 *
 * The time of a node is divided in proportion to the bookings of the node. If a node has more time
 * in the trace than bookings, the rest is divided in proportion to the bookings for which other
 * nodes have no time in the trace. In the example, 2 s of main become OSYNC_LATESEND in MPI_Test,
 * because the time between polls is booked in MPI_Test.
 *
 * Each part is the time of a node in the interval, multiplied by a factor that comes from the whole
 * run. So the parts of two intervals add up to the parts of their union. */
#include "experiment/causes/leaf_parts.h"

#include "base/clamp.h"
#include "base/muldiv.h"
#include "base/sort.h"
#include "experiment/model/regions.h"

/* -- times of a unit --------------------------------------------------------------------------- */

void unit_times_add(struct unit_times *t, enum unit_state state, uint32_t node, int64_t whole_ns,
		    int64_t part_ns)
{
	bool fresh;
	uint32_t i = map_put(&t->time_by_key, node, state, t->time.n, &fresh);
	if (fresh)
		*vec_push(&t->time) = (struct unit_time){ state, node, 0, 0 };
	t->time.at[i].whole_ns += whole_ns;
	t->time.at[i].part_ns += part_ns;
}

static uint64_t wait_kind(enum unit_state state, enum sis_overhead leaf)
{
	return (uint64_t)leaf * UNIT_STATES + state;
}

uint32_t unit_times_add_wait(struct unit_times *t, enum unit_state state, uint32_t node,
			     enum sis_overhead leaf, int64_t whole_ns, int64_t part_ns)
{
	bool fresh;
	uint32_t i = map_put(&t->wait_by_key, node, wait_kind(state, leaf), t->wait.n, &fresh);
	if (fresh)
		*vec_push(&t->wait) = (struct unit_wait_time){ .state = state, .node = node,
							       .leaf = leaf };
	t->wait.at[i].whole_ns += whole_ns;
	t->wait.at[i].part_ns += part_ns;
	return i;
}

void unit_times_clear(struct unit_times *t)
{
	vec_free(&t->time), vec_free(&t->wait);
	map_free(&t->time_by_key), map_free(&t->wait_by_key);
}

/* -- bookings of a unit ------------------------------------------------------------------------ */

static int by_unit_and_node(const void *va, const void *vb)
{
	const struct leaf_share *a = va, *b = vb;
	return ORDER(a->pu, b->pu) ?: ORDER(a->state, b->state) ?: ORDER(a->node, b->node) ?:
		ORDER(a->leaf, b->leaf);
}

static void add_share(struct leaf_shares *s, uint32_t pu, uint32_t node, enum unit_state state,
		      enum sis_overhead leaf, int64_t ns)
{
	if (ns > 0)
		*vec_push(&s->share) = (struct leaf_share){ pu, node, state, leaf, ns };
}

/* The idle time that experiment/classify/idle.c has booked, by (node and leaf, PU). */
struct idle_sums { struct map by_key; VEC(int64_t) ns; };

static void add_idle(struct idle_sums *s, uint32_t node, enum sis_overhead leaf, uint32_t pu,
		     int64_t ns)
{
	bool fresh;
	uint32_t i = map_put(&s->by_key, (uint64_t)node * SIS_OVERHEADS + leaf, pu, s->ns.n,
			     &fresh);
	if (fresh)
		*vec_push(&s->ns) = 0;
	s->ns.at[i] += ns;
}

/* The part of a booking that is idle time. experiment/classify/ lists idle time, except on the leaf
 * UNMEASURED. On UNMEASURED, the time of the unit's own thread in the node is known, and the rest
 * of the booking is idle time. */
static int64_t idle_part(const struct idle_sums *s, const struct experiment *x,
			 const struct booking *b, int64_t ns)
{
	uint32_t summary = experiment_summary(x, b->node, b->pu);
	bool own = region_leaf(region_of_node(x, b->node)) == b->leaf && summary != INDEX_NONE;
	uint32_t i = map_get(&s->by_key, (uint64_t)b->node * SIS_OVERHEADS + b->leaf, b->pu);
	if (b->leaf == UNMEASURED && x->model.pu.at[b->pu].slot != 0)
		return own ? ns - smaller(ns, x->model.summary.at[summary].excl_ns) : ns;
	return i == MAP_NONE ? 0 : smaller(ns, s->ns.at[i]);
}

/* The part of a booking that is time before or after the unit's process. experiment/classify/ has
 * booked it in the root. */
static int64_t outside_part(const struct experiment *x, const struct booking *b)
{
	const struct process *p = &x->model.process.at[x->model.pu.at[b->pu].process];
	if (b->node != x->model.root)
		return 0;
	return b->leaf == OCTRL_SPAWN  ? p->start_ns - x->model.start_ns :
		b->leaf == OSYNC_FINWAIT ? x->model.end_ns - p->end_ns :
					   0;
}

void leaf_shares_init(struct leaf_shares *s, const struct experiment *x)
{
	const struct experiment_classify *c = &x->classify;
	struct idle_sums idle = { .ns = { 0 } };
	*s = (struct leaf_shares){ .share = { 0 } };
	for (size_t i = 0; i < c->idle_wait.n; i++) {
		const struct booking *b = &c->idle_wait.at[i];
		add_idle(&idle, b->node, b->leaf, b->pu, b->ns);
	}
	for (size_t i = 0; i < c->idle_cost.n; i++) {
		const struct idle_cost *cost = &c->idle_cost.at[i];
		add_idle(&idle, cost->node, cost->leaf, cost->pu, cost->ns);
	}
	for (size_t i = 0; i < c->booking.n; i++) {
		const struct booking *b = &c->booking.at[i];
		int64_t ns = b->ns - outside_part(x, b), part = idle_part(&idle, x, b, ns);
		add_share(s, b->pu, b->node, IDLE, b->leaf, part);
		add_share(s, b->pu, b->node, IN_NODE, b->leaf, ns - part);
	}
	for (size_t i = 0; i < x->model.summary.n; i++)
		add_share(s, x->model.summary.at[i].pu, x->model.summary.at[i].node, IN_NODE,
			  O_NONE, c->useful_ns.at[i]);
	vec_sort(&s->share, by_unit_and_node);
	map_free(&idle.by_key), vec_free(&idle.ns);
}

bool leaf_shares_has(const struct leaf_shares *s, const struct leaf_share *key)
{
	const struct leaf_share *at = s->share.at;
	size_t i = search_first(k, 0, s->share.n, by_unit_and_node(&at[k], key) < 0);
	return i < s->share.n && by_unit_and_node(&at[i], key) == 0;
}

void leaf_shares_release(struct leaf_shares *s)
{
	vec_free(&s->share);
}

/* -- bookings without single waits ------------------------------------------------------------- */

/* The shares of a node in a state. `largest`: index of the largest share. `ns`: sum of the shares.
 * `lacks`: the part of `ns` that exceeds the node's time in the trace. */
struct leaf_group { size_t first, n, largest; int64_t ns, lacks; };

/* Subtracts the single waits from the bookings. */
static void take_shares(struct unit_times *t, const struct leaf_shares *s,
			struct unit_shares *left)
{
	const struct leaf_share *all = s->share.at;
	for (size_t i = search_first(k, 0, s->share.n, all[k].pu < t->pu);
	     i < s->share.n && all[i].pu == t->pu; i++) {
		struct leaf_share share = all[i];
		uint32_t wait = map_get(&t->wait_by_key, share.node,
					wait_kind(share.state, share.leaf));
		if (wait != MAP_NONE) {
			struct unit_wait_time *w = &t->wait.at[wait];
			w->booked_ns = smaller(share.ns, w->whole_ns);
			share.ns -= w->booked_ns;
		}
		if (share.ns > 0)
			*vec_push(&left->share) = share;
	}
}

static void find_groups(struct unit_shares *left)
{
	const struct leaf_share *share = left->share.at;
	for (size_t i = 0; i < left->share.n; i++) {
		struct leaf_group *last = left->group.n ? &left->group.at[left->group.n - 1] : NULL;
		if (!last || share[last->first].node != share[i].node ||
		    share[last->first].state != share[i].state)
			*(last = vec_push(&left->group)) =
				(struct leaf_group){ .first = i, .largest = i };
		last->n++;
		last->largest = share[i].ns > share[last->largest].ns ? i : last->largest;
		last->ns += share[i].ns;
	}
}

static bool has_group(const struct unit_shares *left, enum unit_state state, uint32_t node)
{
	const struct leaf_share *share = left->share.at;
	const struct leaf_group *g = left->group.at;
	size_t i = search_first(k, 0, left->group.n, share[g[k].first].state < state ||
				(share[g[k].first].state == state &&
				 share[g[k].first].node < node));
	return i < left->group.n && share[g[i].first].state == state &&
		share[g[i].first].node == node;
}

/* If the initial thread is in a team, a unit outside of the team is idle because of the team, no
 * matter what the initial thread does inside the team. So idle time moves from `node`, where the
 * initial thread is, to the nearest node around `node` in which idle time is booked. */
static uint32_t idle_node(const struct unit_shares *left, const struct experiment *x, uint32_t node)
{
	uint32_t at = node;
	while (at != NONE && !has_group(left, IDLE, at))
		at = x->model.node.at[at].parent;
	return at == NONE ? node : at;
}

void unit_times_settle(struct unit_times *t, const struct leaf_shares *s,
		       const struct experiment *x, struct unit_shares *left)
{
	*left = (struct unit_shares){ .share = { 0 } };
	take_shares(t, s, left);
	find_groups(left);
	for (size_t i = 0; i < t->time.n; i++) {
		struct unit_time time = t->time.at[i];
		uint32_t node = time.state == IDLE ? idle_node(left, x, time.node) : time.node;
		if (node == time.node)
			continue;
		t->time.at[i].whole_ns = t->time.at[i].part_ns = 0;
		unit_times_add(t, IDLE, node, time.whole_ns, time.part_ns);
	}
}

void unit_shares_release(struct unit_shares *left)
{
	vec_free(&left->share), vec_free(&left->group);
}

/* -- dividing times among leaves --------------------------------------------------------------- */

struct dividing {
	const struct experiment *x;
	struct unit_times *t;
	struct interval_leaves *l;
	struct unit_shares left; /* bookings of the unit without its single waits */
	int64_t lacks;           /* sum of the groups' `lacks` */
	struct unit_time unknown; /* time in state NOT_KNOWN, which may belong to any leaf */
	/* time that is left for divide_rest */
	struct { int64_t whole_ns, part_ns; } rest;
};

static void add_leaf(const struct dividing *d, uint32_t node, enum sis_overhead leaf, int64_t ns)
{
	if (ns > 0)
		*vec_push(&d->l->leaf) = (struct interval_leaf){ node, d->t->pu, leaf, ns };
}

/* Divides time among the shares of a group, in proportion. The largest share gets what rounding
 * leaves. */
static void divide_in_group(const struct dividing *d, const struct leaf_group *g, int64_t ns)
{
	const struct leaf_share *share = d->left.share.at, *largest = &share[g->largest];
	int64_t left = ns;
	for (size_t i = g->first; i < g->first + g->n; i++) {
		int64_t part = i == g->largest ? 0 : muldiv(ns, share[i].ns, g->ns);
		add_leaf(d, share[i].node, share[i].leaf, part);
		left -= part;
	}
	add_leaf(d, largest->node, largest->leaf, left);
}

/* Adds to the uncertain time of the unit. `minor_ns`: the time that does not belong to the largest
 * share. If the divided time is completely inside or completely outside the interval, its division
 * is certain, because that of the whole run is known. */
static void add_uncertain(const struct dividing *d, int64_t whole_ns, int64_t part_ns,
			  int64_t minor_ns)
{
	d->l->uncertain_ns.at[d->t->pu] +=
		smaller(minor_ns, smaller(part_ns, whole_ns - part_ns));
}

static void divide_by_node(struct dividing *d)
{
	for (size_t i = 0; i < d->left.group.n; i++) {
		struct leaf_group *g = &d->left.group.at[i];
		const struct leaf_share *share = &d->left.share.at[g->first];
		uint32_t k = map_get(&d->t->time_by_key, share->node, share->state);
		struct unit_time *time = k == MAP_NONE ? NULL : &d->t->time.at[k];
		int64_t both = time ? smaller(time->whole_ns, g->ns) : 0;
		int64_t part = both > 0 ? muldiv(time->part_ns, both, time->whole_ns) : 0;
		divide_in_group(d, g, part);
		g->lacks = g->ns - both;
		add_uncertain(d, both + smaller(g->lacks, d->unknown.whole_ns), part,
			      g->ns - d->left.share.at[g->largest].ns);
		d->lacks += g->lacks;
		if (time) {
			time->whole_ns -= both;
			time->part_ns -= part;
		}
	}
}

/* Divides the time that exceeds the bookings of its node. If the unit has no bookings left, the
 * time is useful work. */
static void divide_rest(struct dividing *d)
{
	int64_t left;
	size_t largest = 0;
	for (size_t i = 0; i < d->t->time.n; i++) {
		const struct unit_time *t = &d->t->time.at[i];
		d->rest.whole_ns += t->state == NOT_KNOWN ? 0 : t->whole_ns;
		d->rest.part_ns += t->state == NOT_KNOWN ? 0 : t->part_ns;
	}
	left = d->rest.part_ns;
	add_uncertain(d, clamp_add(d->rest.whole_ns, d->unknown.whole_ns), left, left);
	const struct leaf_group *group = d->left.group.at;
	for (size_t i = 0; i < d->left.group.n; i++)
		largest = group[i].lacks > group[largest].lacks ? i : largest;
	for (size_t i = 0; i < d->left.group.n && d->lacks > 0; i++) {
		int64_t part = i == largest ?
			0 : muldiv(d->rest.part_ns, group[i].lacks, d->lacks);
		divide_in_group(d, &group[i], part);
		left -= part;
	}
	if (d->lacks > 0)
		divide_in_group(d, &group[largest], left);
	else
		add_leaf(d, d->x->model.root, O_NONE, left);
}

void unit_times_divide(struct unit_times *t, const struct leaf_shares *s,
		       const struct experiment *x, struct interval_leaves *l)
{
	struct dividing d = { .x = x, .t = t, .l = l };
	uint32_t unknown = map_get(&t->time_by_key, NONE, NOT_KNOWN);
	if (unknown != MAP_NONE)
		d.unknown = t->time.at[unknown];
	unit_times_settle(t, s, x, &d.left);
	for (size_t i = 0; i < t->wait.n; i++) {
		const struct unit_wait_time *w = &t->wait.at[i];
		int64_t ns = w->whole_ns ? muldiv(w->part_ns, w->booked_ns, w->whole_ns) : 0;
		add_leaf(&d, w->node, w->leaf, ns);
		/* the part of a wait that is not booked is divided like other time */
		d.rest.whole_ns += w->whole_ns - w->booked_ns;
		d.rest.part_ns += w->part_ns - ns;
	}
	divide_by_node(&d);
	divide_rest(&d);
	l->unknown_ns.at[t->pu] = d.unknown.part_ns;
	add_leaf(&d, x->model.root, UNMEASURED, d.unknown.part_ns);
	unit_shares_release(&d.left);
}
