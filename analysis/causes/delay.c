/* delay.c - the costs of delays: for each wait between processes who came late, and in which regions that one had spent
 * more time than who waited. After Boehme, Geimer, Arnold, Voigtlaender, Wolf: Identifying the root causes of wait states
 * in large-scale parallel applications. One thread; owns nothing.
 *
 *            since                    enter                      until
 *     rank 0   |== work ==|===== serial =====|== work ==|~ Recv ~|== Send     0 was longer in serial, and waited for 2
 *     rank 1   |====== work ======|Recv ~~~~~~~~~~~~~~~~~~~~~~~~~~|
 *
 * From the last time that both met until each came, the time of both is compared node by node. What the culprit had more
 * is the cause, each node in proportion. Of that, waits of its own are others' fault: that part is passed on to them,
 * and shared out there as an indirect cost. A wait passes on only to earlier ones, so the last is taken first. */
#include "causes/delay.h"

#include <stdlib.h>
#include <string.h>

#include "causes/interval.h"
#include "model/process_model.h"
#include "model/regions.h"

enum { MEETINGS_MOST = 1000 }; /* that are looked at for a common one: further back the times are less alike anyway */

/* Time of a unit by node of the experiment; the last but one place is for SOMEWHERE, the last for its waits. */
struct times { int64_t *ns; bool *estimated, *listed; VEC(uint32_t) used; uint32_t places; };
struct side { struct times *times; const struct process *p; };

struct costs {
	struct experiment *x;
	struct stretches stretches;
	struct times victim, culprit;
	struct { uint32_t process, slot; int64_t from, to, waits_from; } known; /* what `culprit` holds */
	size_t *first_meeting, *first_lateness; /* of each process, and the end */
	int64_t *passed_on;      /* to each wait, from those that it caused */
};

struct delay_cost *delay_cost_at(struct experiment *x, uint32_t node, enum sis_overhead leaf, uint32_t culprit,
				 uint32_t culprit_node)
{
	bool fresh;
	uint32_t i = map_put(&x->delay_cost_by_place, (uint64_t)node * SIS_OVERHEADS + leaf,
			     (uint64_t)culprit << 32 | culprit_node, x->delay_cost.n, &fresh);
	if (fresh)
		*vec_push(&x->delay_cost) = (struct delay_cost){ .node = node, .leaf = leaf, .culprit = culprit,
								 .culprit_node = culprit_node };
	return &x->delay_cost.at[i];
}

void delay_charge(struct experiment *x, uint32_t node, uint32_t culprit, uint32_t culprit_node, int64_t ns)
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

/* -- times ------------------------------------------------------------------------------------------------- */

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

static uint32_t place_somewhere(const struct times *t) { return t->places - 2; }
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
	times_add(side->times, node == SOMEWHERE ? place_somewhere(side->times) : side->p->global[node], ns, exact);
}

/* The process's waits that ended after `from`, and no later than `to`: [*first, the result). */
static size_t find_waits(const struct costs *k, uint32_t process, int64_t from, int64_t to, size_t *first)
{
	const struct lateness *at = k->x->lateness.at;
	size_t low = k->first_lateness[process], high = k->first_lateness[process + 1];
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (at[middle].until <= from)
			low = middle + 1;
		else
			high = middle;
	}
	*first = low;
	while (low < k->first_lateness[process + 1] && at[low].until <= to)
		low++;
	return low;
}

static int64_t wait_within(const struct lateness *w, int64_t from)
{
	return w->until - (w->enter > from ? w->enter : from);
}

/* What the unit did, its waits apart from all else, and only those since `waits_from` of interest. */
static void look(struct costs *k, struct times *t, uint32_t process, uint32_t slot, int64_t from, int64_t to, int64_t waits_from)
{
	struct side side = { t, &k->x->process.at[process] };
	size_t first, end = find_waits(k, process, from, to, &first);
	times_clear(t);
	if (from >= to)
		return;
	stretch_each(&k->stretches, process, slot, from, to, take_time, &side);
	for (size_t i = first; i < end; i++) {
		const struct lateness *w = &k->x->lateness.at[i];
		if (w->slot != slot || w->node == NONE || side.p->global[w->node] == NONE)
			continue;
		times_add(t, side.p->global[w->node], -wait_within(w, from), true);
		if (w->until > waits_from)
			times_add(t, place_waiting(t), wait_within(w, waits_from), true);
	}
}

/* -- since when -------------------------------------------------------------------------------------------- */

static int by_process_and_end(const void *va, const void *vb)
{
	const struct meeting *a = va, *b = vb;
	return a->process != b->process ? (a->process > b->process) - (a->process < b->process) :
		(a->end > b->end) - (a->end < b->end);
}

/* The process's last meeting that was over at `time`, as an index of which the process's first one is 1; 0: none. */
static size_t last_meeting(const struct costs *k, uint32_t process, int64_t time)
{
	size_t low = k->first_meeting[process], high = k->first_meeting[process + 1];
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (k->x->meeting.at[middle].end <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low - k->first_meeting[process];
}

/* If there is none among so many, the last of these; NULL: none at all. */
static const struct meeting *find_common(const struct costs *k, const struct lateness *l)
{
	const struct meeting *at = k->x->meeting.at + k->first_meeting[l->process];
	size_t i = last_meeting(k, l->process, l->enter);
	for (size_t steps = 1; i > 0; steps++) {
		const struct meeting *m = &at[--i];
		if (m->other == l->culprit || (m->other == NONE && (m->comm == 0 || m->comm == l->comm)) ||
		    steps == MEETINGS_MOST)
			return m;
	}
	return NULL;
}

/* When each of the two went on from there; from its start when they had not met before. */
static void find_since(const struct costs *k, const struct lateness *l, int64_t *since, int64_t *culprit_since)
{
	const struct meeting *m = find_common(k, l), *at = k->x->meeting.at + k->first_meeting[l->culprit];
	size_t i = last_meeting(k, l->culprit, l->until);
	*since = m ? m->end : k->x->process.at[l->process].start_ns;
	*culprit_since = m ? m->end : k->x->process.at[l->culprit].start_ns;
	for (size_t steps = 0; m && i > 0 && steps < MEETINGS_MOST; steps++)
		if (at[--i].operation == m->operation) {
			*culprit_since = at[i].end;
			return;
		}
}

/* -- sharing out ------------------------------------------------------------------------------------------- */

static uint32_t unit_of(const struct experiment *x, uint32_t process, uint32_t slot)
{
	const struct process *p = &x->process.at[process];
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
static void blame(struct costs *k, const struct lateness *l, int64_t ns, int64_t indirect, uint32_t culprit_node,
		  bool estimated, bool waited)
{
	struct experiment *x = k->x;
	const struct process *p = &x->process.at[l->process];
	uint32_t node = l->node == NONE || p->global[l->node] == NONE ? model_root(x) : p->global[l->node];
	uint32_t culprit = unit_of(x, l->culprit, l->culprit_slot);
	int64_t all = l->ns[0] + l->ns[1] + l->ns[2], left = ns, left_indirect = indirect;
	for (int i = 0; i < LATENESS_PARTS && l->leaf[i] != O_NONE; i++) {
		bool last = i + 1 == LATENESS_PARTS || l->leaf[i + 1] == O_NONE;
		int64_t part = last ? left : part_of(ns, l->ns[i], all), far = last ? left_indirect : part_of(indirect, l->ns[i], all);
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
static uint32_t nowhere(struct experiment *x, const struct lateness *l)
{
	return l->node == NONE || l->leaf[0] == OSYNC_INIT ? model_root(x) : NONE;
}

/* The culprit waited itself: for whom its earlier waits were. */
static void pass_on(struct costs *k, const struct lateness *l, int64_t ns, int64_t indirect, int64_t since)
{
	size_t first, end = find_waits(k, l->culprit, since, l->until - 1, &first);
	int64_t all = 0, left = ns, left_indirect = indirect;
	const struct process *p = &k->x->process.at[l->culprit];
	for (size_t i = first; i < end; i++)
		all += k->x->lateness.at[i].slot == l->culprit_slot ? wait_within(&k->x->lateness.at[i], since) : 0;
	for (size_t i = first; i < end && all; i++) {
		const struct lateness *w = &k->x->lateness.at[i];
		if (w->slot != l->culprit_slot || w->node == NONE)
			continue;
		int64_t part = part_of(ns, wait_within(w, since), all), far = part_of(indirect, wait_within(w, since), all);
		k->passed_on[i] += part + far;
		blame(k, l, part, far, p->global[w->node], false, true);
		left -= part;
		left_indirect -= far;
	}
	blame(k, l, left, left_indirect, nowhere(k->x, l), true, false);
}

/* By node in proportion to the excess; rounding goes to where it is not known. */
static void share_out(struct costs *k, const struct lateness *l, int64_t ns, int64_t indirect, int64_t since)
{
	int64_t all = 0, left = ns, left_indirect = indirect;
	for (size_t i = 0; i < k->culprit.used.n; i++)
		all += excess(k, k->culprit.used.at[i]);
	for (size_t i = 0; i < k->culprit.used.n && all; i++) {
		uint32_t place = k->culprit.used.at[i];
		int64_t more = excess(k, place), part = part_of(ns, more, all), far = part_of(indirect, more, all);
		bool last = i + 1 == k->culprit.used.n;
		if (!more && !last)
			continue;
		part = last ? left : part;
		far = last ? left_indirect : far;
		left -= part;
		left_indirect -= far;
		if (place == place_waiting(&k->culprit))
			pass_on(k, l, part, far, since);
		else
			blame(k, l, part, far, place == place_somewhere(&k->culprit) ? nowhere(k->x, l) : place,
			      k->culprit.estimated[place], false);
	}
	blame(k, l, left, left_indirect, nowhere(k->x, l), true, false);
}

/* A lock was the culprit's from the beginning of the wait on: what it had waited before is nobody's loss here. */
static void judge(struct costs *k, size_t index)
{
	const struct lateness *l = &k->x->lateness.at[index];
	int64_t since, culprit_since;
	find_since(k, l, &since, &culprit_since);
	int64_t waits_from = l->held && l->enter > culprit_since ? l->enter : culprit_since;
	look(k, &k->victim, l->process, l->slot, since, l->enter, since);
	if (k->known.process != l->culprit || k->known.slot != l->culprit_slot || k->known.from != culprit_since ||
	    k->known.to != l->until || k->known.waits_from != waits_from)
		look(k, &k->culprit, l->culprit, l->culprit_slot, culprit_since, l->until, waits_from);
	k->known.process = l->culprit, k->known.slot = l->culprit_slot;
	k->known.from = culprit_since, k->known.to = l->until, k->known.waits_from = waits_from;
	share_out(k, l, l->ns[0] + l->ns[1] + l->ns[2], k->passed_on[index], waits_from);
}

/* -- all of it --------------------------------------------------------------------------------------------- */

static int by_process_and_until(const void *va, const void *vb)
{
	const struct lateness *a = va, *b = vb;
	return a->process != b->process ? (a->process > b->process) - (a->process < b->process) :
		(a->until > b->until) - (a->until < b->until);
}

/* Processes that ended wait for the one that ends last. */
static void add_ends(struct experiment *x)
{
	size_t last = 0;
	for (size_t i = 0; i < x->process.n; i++)
		last = x->process.at[i].end_ns > x->process.at[last].end_ns ? i : last;
	for (size_t i = 0; i < x->process.n; i++) {
		int64_t ns = x->end_ns - x->process.at[i].end_ns;
		if (ns > 0)
			*vec_push(&x->lateness) = (struct lateness){
				.process = i, .node = NONE, .culprit = last, .enter = x->process.at[i].end_ns, .until = x->end_ns,
				.leaf = { OSYNC_FINWAIT }, .ns = { ns } };
	}
}

#define FIND_FIRST(list, first) do { \
	size_t next = 0; \
	for (uint32_t i = 0; i <= x->process.n; i++) { \
		while (next < (list).n && (list).at[next].process < i) \
			next++; \
		(first)[i] = next; \
	} \
} while (0)

static void sort_all(struct costs *k)
{
	struct experiment *x = k->x;
	add_ends(x);
	if (x->meeting.n)
		qsort(x->meeting.at, x->meeting.n, sizeof *x->meeting.at, by_process_and_end);
	if (x->lateness.n)
		qsort(x->lateness.at, x->lateness.n, sizeof *x->lateness.at, by_process_and_until);
	FIND_FIRST(x->meeting, k->first_meeting);
	FIND_FIRST(x->lateness, k->first_lateness);
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
	uint32_t nodes = (model_root(x), x->node.n);
	k.first_meeting = mem_alloc(x->process.n + 1, sizeof *k.first_meeting);
	k.first_lateness = mem_alloc(x->process.n + 1, sizeof *k.first_lateness);
	stretches_init(&k.stretches, x);
	times_init(&k.victim, nodes);
	times_init(&k.culprit, nodes);
	sort_all(&k);
	k.passed_on = mem_alloc(x->lateness.n, sizeof *k.passed_on);
	struct turn *turn = mem_alloc(x->lateness.n + 1, sizeof *turn);
	for (size_t i = 0; i < x->lateness.n; i++)
		turn[i] = (struct turn){ x->lateness.at[i].until, x->lateness.at[i].culprit, i };
	qsort(turn, x->lateness.n, sizeof *turn, by_turn);
	for (size_t i = 0; i < x->lateness.n; i++)
		judge(&k, turn[i].index);
	times_release(&k.victim);
	times_release(&k.culprit);
	stretches_release(&k.stretches);
	free(turn), free(k.passed_on), free(k.first_meeting), free(k.first_lateness);
}
