/* SPDX-License-Identifier: BSD-3-Clause */
/* rungs.c - changes the rungs of nodes, and turns regions off, so that probes cost no more than
 * SIS_OVERHEAD allows. Runs in the sampler's thread. The costs are computed from counts that the
 * program's threads write anyway, and budget.h decides.
 *
 *      window    an interval of a thread's CPU time: 1 ms at first, later 2.5 ms
 *      look      the work at the end of a window: counts the calls of each node since the last look
 *      cost      the sum of calls x cost of the node's rung, as part of the window
 *
 * Each thread has a budget of its own. A node is one call path of one thread, so its rung can
 * change without other nodes. But a region is turned off in all threads. Then its nodes count no
 * calls, so they keep their last rates. After a second the region is turned on for one window of a
 * thread, in which the rates of this thread are measured anew. The time until the next such window
 * doubles each time, up to a minute.
 *
 * A construct of OpenMP stays on if its activations wait or last long. Then its probes cost little
 * compared with the construct, and its node shows more. The lengths of its activations show whether
 * this is so. While the construct is off, its entries and waits are counted in the region around
 * it.
 *
 * A region that is off still costs something. This cost cannot be saved, so it is not counted.
 *
 * A pair of probes costs a program more than it costs in a loop of its own (process/calibrate.c):
 *
 *      IN_PROGRAM   a factor for the cost in the loop: in a program, loads that would have
 *                   overlapped wait for the clock, and registers are saved
 *      AHEAD        ns in addition, at each rung: a processor executes a fixed number of
 *                   instructions ahead. Each instruction of a probe displaces one of the program,
 *                   whose load then begins later
 *
 * AHEAD does not depend on reading the clock, so only turning off a region saves it. Both constants
 * come from tests/bench/kinds.c, whose programs lose time for each pair that is not timed: `table`
 * some 30 ns, `random` 30 to 80 ns, and programs that compute in the cache 6 to 8 ns.
 * LIMIT: in the worst programs the real cost is twice as high as computed here; in other programs
 * it is lower than the limit.
 */
#include "base/clock.h"
#include "base/config.h"
#include "base/kernel_clock.h"
#include "base/slot_table.h"
#include "base/ticks.h"
#include "output/profile/store.h"
#include "output/profile/text.h"
#include "measure/core/drg.h"
#include "measure/core/region_registry.h"
#include "measure/sampling/budget.h"
#include "measure/sampling/rungs.h"
#include "measure/sampling/sampling.h"

#include <sys/mman.h>

enum {
	PAGE = 1024,               /* regions */
	PAGES = SIS_FACT_PAGES,
	OFF = SIS_BUDGET_OFF,
	ESTIMATES = 16 << 10,      /* bytes of a chunk */
	FIRST_WINDOWS = 10,
	NOTES_MOST = 32,           /* a region has at most so many notes of its rung */
	SWITCHED_AT_ONCE = 64,
	COST_SHARE = 50,           /* counting takes at most a fiftieth of a window */
	LASTING = 256,             /* an activation lasts long if it takes more ticks in the mean */
};
#define FIRST_WINDOW UINT64_C(1000000)  /* ns of CPU time */
#define WINDOW UINT64_C(2500000)
#define LOOK_FIRST UINT64_C(1000000000) /* ns until a region that is off is tried again */
#define LOOK_MOST UINT64_C(60000000000)
#define IN_PROGRAM 1.4
#define AHEAD 20.0

_Static_assert(OFF == (int)SIS_RUNGS && OFF + 1 == SIS_BUDGET_RUNGS,
	       "off is below the rungs of nodes");

/* The nodes of a chunk, with an item and other data for each node. */
struct watched {
	struct sis_budget_items items;  /* first, because the list of a slot is one of items */
	struct sis_chunk *chunk;
	struct seen { uint64_t calls, ticks; } *seen; /* at the last look */
};
static struct slot {
	struct sis_budget_items *items; /* the items of its chunks; NULL: none */
	struct sis_chunk *estimates;    /* being filled */
	struct sis_budget budget;
	uint64_t cpu_ns, window_ns;     /* used in this window so far; length of the window */
	unsigned windows;
} slots[SIS_SLOTS];

struct regions { /* a page of regions */
	struct sis_budget_items items;  /* first, since pages are a list; rates of one thread */
	struct sis_budget_item item[PAGE];
	struct region {
		uint32_t count[SIS_RUNGS]; /* number of nodes at each rung */
		uint8_t shown;     /* the lowest rung at the last note */
		uint8_t notes;     /* number of notes so far */
		uint64_t calls, ticks; /* of a construct, since the last call of lasts() */
		/* looked_at: the region is on for a window; dirty: its rungs have changed */
		bool off, looked_at, dirty;
		uint32_t look_slot;/* the slot whose next look ends this window */
		uint64_t look_at_ns, wait_ns;
	} region[PAGE];
};
static struct regions *pages[PAGES];
static struct sis_budget_items *all_regions;
static struct sis_chunk *last_chunk; /* the last one that was searched for nodes */
static sis_budget_costs cost;        /* ns of an activation */
static uint64_t now_ns;              /* of this round */
static unsigned rounds;              /* counts only the first rounds */

/* The program's threads change the nodes meanwhile. Each word is right for some moment, and nodes
 * do not move. */
#define FROM_OUTSIDE __attribute__((no_sanitize("thread")))

static void *allot(uint64_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);
	return memory == MAP_FAILED ? NULL : memory;
}

/* -- regions ----------------------------------------------------------------------------------- */

/* Returns NULL if there is no memory. */
static struct region *region_of(uint32_t id)
{
	if (id / PAGE >= PAGES)
		return NULL;
	struct regions **page = &pages[id / PAGE];
	if (!*page && (*page = allot(sizeof **page))) {
		(*page)->items = (struct sis_budget_items){ (*page)->item, PAGE, all_regions };
		all_regions = &(*page)->items;
		for (uint32_t k = 0; k < PAGE; k++)
			(*page)->item[k].rung = SIS_RUNG_SAMPLED;
	}
	return *page ? &(*page)->region[id % PAGE] : NULL;
}

static unsigned lowest_of(const struct region *r)
{
	if (r->off)
		return OFF;
	return r->count[SIS_RUNG_SAMPLED]    ? SIS_RUNG_SAMPLED
	       : r->count[SIS_RUNG_FRACTION] ? SIS_RUNG_FRACTION
					     : SIS_RUNG_FULL;
}

/* Notes each region whose lowest rung has changed, but at most NOTES_MOST times. */
static void note_changes(uint64_t ticks)
{
	static const char *const names[] = { "full", "fraction", "sampled", "off" };
	for (uint32_t p = 0; p < PAGES; p++)
		for (uint32_t k = 0; pages[p] && k < PAGE; k++) {
			struct region *r = &pages[p]->region[k];
			if (!r->dirty)
				continue;
			/* a rule has turned it off, so nothing is measured at any rung */
			if (sis__region_fact(p * PAGE + k)->off & SIS_OFF_BY_RULE)
				continue;
			r->dirty = false;
			if (lowest_of(r) == r->shown || r->notes == NOTES_MOST)
				continue;
			r->notes++;
			r->shown = (uint8_t)lowest_of(r);
			sis__text("rung", "%u\t%s\t%llu", p * PAGE + k, names[r->shown],
				  (unsigned long long)ticks);
		}
}

/* -- nodes ------------------------------------------------------------------------------------- */

static struct sis_node *node_at(const struct watched *w, size_t k)
{
	return (struct sis_node *)sis__payload(w->chunk) + k;
}

/* Fills in the item of a node that is seen for the first time. The calls so far do not count for
 * this window. */
FROM_OUTSIDE static void begin_node(struct sis_budget_item *item, struct sis_node *node,
				    struct seen *seen)
{
	uint32_t id = sis_node_region(node);
	struct region *region = region_of(id);
	enum sis_rung lowest = sis__region_lowest_rung(id);
	*item = (struct sis_budget_item){ .rate = -1, .rung = node->rung, .lowest = node->rung,
					  .least = lowest };
	*seen = (struct seen){ node->calls, node->total };
	item->waits = lowest == SIS_RUNG_FRACTION &&
		      sis__region_fact(id)->routine != SIS_MPI_ROUTINES;
	bool has_metrics = node->values && sis__region_fact(id)->type != CR_OMPTASKBODY;
	if (!region || lowest == SIS_RUNG_FULL ||
	    (!item->waits && (id < SIS_FIRST_UNIT_ID || has_metrics)))
		return;
	item->may_turn = true;
	region->count[node->rung]++;
	if (region->off)
		item->rung = OFF;
}

#define SELDOM 1e-9 /* calls in a nanosecond */

/* Adds up how long a construct's activations last. This is not done for tasks, because a task often
 * executes other tasks inside. */
static void note_length(uint32_t id, uint64_t calls, uint64_t ticks)
{
	const struct sis_region_fact *fact = sis__region_fact(id);
	struct region *region = region_of(id);
	if (!region || sis_region_sampled(fact->type) || fact->type == CR_OMPTASK ||
	    fact->type == CR_OMPTASKBODY)
		return;
	region->calls += calls;
	region->ticks += ticks;
}

/* Whether the region is a construct whose activations have waited or lasted long since the last
 * call of this function. */
static bool lasts(struct region *region)
{
	bool answer = region->ticks > region->calls * LASTING;
	region->calls = region->ticks = 0;
	return answer;
}

/* Counts the calls of a node. While its region is off, it keeps the rate of the last window in
 * which it was on. */
FROM_OUTSIDE static void count_node(struct sis_budget_item *item, const struct sis_node *node,
				    struct seen *seen, uint64_t cpu_ns, uint32_t slot)
{
	uint64_t now = node->calls, total = node->total;
	if (now == seen->calls && item->rung != OFF && item->rate >= 0 && item->rate < SELDOM) {
		item->rate = 0; /* usual: most call paths belong to other phases of the program */
		return;
	}
	uint32_t id = sis_node_region(node);
	double rate = (double)(now - seen->calls) / (double)cpu_ns;
	if (item->may_turn)
		note_length(id, now - seen->calls, total - seen->ticks);
	*seen = (struct seen){ now, total };
	if (item->rung == OFF) {
		const struct region *region = region_of(id);
		bool looked = region && region->looked_at && region->look_slot == slot;
		item->rate = looked ? rate : item->rate;
		return;
	}
	/* without short activations, all are timed at any rung, so turning saves nothing */
	if (item->may_turn)
		item->lowest = node->min < SIS_SHORT ? item->least : item->rung;
	item->rate = id < SIS_FIRST_UNIT_ID && !item->waits
			     ? 0
			     : sis__budget_mean(item->rate, rate);
}

FROM_OUTSIDE static void count_nodes(struct slot *slot, uint64_t cpu_ns)
{
	for (struct sis_budget_items *list = slot->items; list; list = list->next) {
		struct watched *w = (struct watched *)list;
		uint64_t used = __atomic_load_n(&w->chunk->used, __ATOMIC_ACQUIRE);
		size_t nodes = used / sizeof(struct sis_node);
		for (size_t k = 0; k < list->count; k++)
			count_node(&list->item[k], node_at(w, k), &w->seen[k], cpu_ns,
				   (uint32_t)(slot - slots));
		for (; list->count < nodes; list->count++) {
			struct sis_node *node = node_at(w, list->count);
			if (!__atomic_load_n(&node->region, __ATOMIC_ACQUIRE))
				break; /* its thread is just making the node */
			begin_node(&list->item[list->count], node, &w->seen[list->count]);
		}
	}
}

static void watch(struct sis_chunk *chunk)
{
	size_t most = (chunk->size - sizeof *chunk) / sizeof(struct sis_node);
	struct watched *w = chunk->slot < SIS_SLOTS ? allot(sizeof *w) : NULL;
	if (!w)
		return;
	w->items.item = allot(most * sizeof *w->items.item);
	w->seen = allot(most * sizeof *w->seen);
	w->chunk = chunk;
	if (!w->items.item || !w->seen)
		return;
	w->items.next = slots[chunk->slot].items;
	slots[chunk->slot].items = &w->items;
}

/* -- turning ----------------------------------------------------------------------------------- */

static bool has_estimate(struct slot *slot, struct sis_node *node)
{
	struct sis_chunk *chunk = slot->estimates;
	struct sis_estimate *estimate;
	if (node->estimate)
		return true;
	if (!chunk || chunk->used + sizeof *estimate > chunk->size - sizeof *chunk) {
		uint32_t number = (uint32_t)(slot - slots);
		chunk = sis__chunk_new(SIS_CHUNK_ESTIMATES, number, ESTIMATES - sizeof *chunk);
		slot->estimates = chunk;
	}
	if (!chunk)
		return false;
	estimate = (struct sis_estimate *)((char *)sis__payload(chunk) + chunk->used);
	estimate->node = node;
	if (sis__region_is_brief(sis_node_region(node)))
		estimate->rungs |= SIS_ESTIMATE_BRIEF;
	chunk->used += sizeof *estimate;
	__atomic_store_n(&node->estimate, estimate, __ATOMIC_RELEASE); /* before its rung changes */
	return true;
}

/* Notes the calls at the node's rung so far, and its new rung. The analysis computes the cost of
 * the node's probes from its calls at each rung. */
FROM_OUTSIDE static void note_rung(const struct sis_node *node, unsigned rung)
{
	struct sis_estimate *estimate = node->estimate;
	uint64_t calls = node->calls;
	if (estimate->rung != SIS_RUNG_FULL)
		estimate->below[estimate->rung - 1] += calls - estimate->since;
	estimate->since = calls;
	estimate->rung = rung;
	estimate->rungs |= 1u << rung;
}

/* Gives the node the rung of its item. A node that folds skips SIS_RUNG_FRACTION: there its
 * activations would all be timed, which would save nothing. */
FROM_OUTSIDE static void turn_node(struct slot *slot, struct sis_budget_item *item,
				   struct sis_node *node)
{
	struct region *region = region_of(sis_node_region(node));
	if (item->rung == SIS_RUNG_FRACTION && node->region & SIS_NODE_FOLDS)
		item->rung = node->rung == SIS_RUNG_FULL ? SIS_RUNG_SAMPLED : SIS_RUNG_FULL;
	if (!region || !has_estimate(slot, node)) {
		item->rung = node->rung;
		item->may_turn = false;
		item->lowest = node->rung;
		return;
	}
	note_rung(node, item->rung);
	region->count[node->rung]--;
	region->count[item->rung]++;
	region->dirty = true;
	__atomic_store_n(&node->rung, item->rung, __ATOMIC_RELEASE); /* after its estimate */
}

static void turn_nodes(struct slot *slot)
{
	if (!sis__sampling)
		sis__clock_sample_one_in(SIS_FRACTION);
	for (struct sis_budget_items *list = slot->items; list; list = list->next)
		for (size_t k = 0; k < list->count; k++) {
			struct sis_node *node = node_at((struct watched *)list, k);
			if (list->item[k].rung != OFF && list->item[k].rung != node->rung)
				turn_node(slot, &list->item[k], node);
		}
}

/* -- regions off and on ------------------------------------------------------------------------ */

/* Sets the rungs of the items of regions that were switched. */
static void set_items(void)
{
	for (uint32_t s = 0; s < SIS_SLOTS; s++)
		for (struct sis_budget_items *list = slots[s].items; list; list = list->next)
			for (size_t k = 0; k < list->count; k++) {
				struct sis_node *node = node_at((struct watched *)list, k);
				struct region *region = region_of(sis_node_region(node));
				if (list->item[k].may_turn && region)
					list->item[k].rung = region->off ? OFF : node->rung;
			}
}

/* Regions to turn off, and regions to turn on. */
struct switching {
	uint32_t id[2][SWITCHED_AT_ONCE];
	size_t count[2];
};

static void switch_listed(struct switching *s)
{
	for (int on = 0; on < 2; on++) {
		sis__regions_turn(s->id[on], s->count[on], SIS_OFF_BY_BUDGET, !on);
		s->count[on] = 0;
	}
}

static void switch_region(struct switching *s, uint32_t id, bool on)
{
	if (s->count[on] == SWITCHED_AT_ONCE)
		switch_listed(s);
	s->id[on][s->count[on]++] = id;
}

/* Whether the item's region is off, or turning it off is the only step left. */
static bool is_at_end(const struct sis_budget_item *item, bool off)
{
	return off ? item->rung == OFF : item->rung != OFF && item->rung >= item->least;
}

/* Sets the rate of each region to the sum of the rates of those nodes in this thread for which
 * is_at_end is true. */
static void add_up_regions(const struct slot *slot, bool off)
{
	for (uint32_t p = 0; p < PAGES; p++)
		for (uint32_t k = 0; pages[p] && k < PAGE; k++) {
			bool may_be_off = sis__region_off_in_budget(p * PAGE + k) &&
					  !lasts(&pages[p]->region[k]);
			pages[p]->item[k].rate = 0;
			pages[p]->item[k].lowest = may_be_off ? OFF : SIS_RUNG_SAMPLED;
		}
	for (const struct sis_budget_items *list = slot->items; list; list = list->next)
		for (size_t k = 0; k < list->count; k++) {
			const struct sis_budget_item *item = &list->item[k];
			uint32_t id = sis_node_region(node_at((const struct watched *)list, k));
			if (item->may_turn && is_at_end(item, off) && item->rate > 0)
				pages[id / PAGE]->item[id % PAGE].rate += item->rate;
		}
}

/* Switches the regions whose rung the budget has changed. */
static bool switch_changed(void)
{
	struct switching s = { .count = { 0 } };
	bool any = false;
	for (uint32_t p = 0; p < PAGES; p++)
		for (uint32_t k = 0; pages[p] && k < PAGE; k++) {
			struct region *r = &pages[p]->region[k];
			bool off = pages[p]->item[k].rung == OFF;
			if (off == r->off)
				continue;
			r->off = off;
			r->dirty = any = true;
			r->looked_at = false;
			r->wait_ns = LOOK_FIRST;
			r->look_at_ns = now_ns + LOOK_FIRST;
			switch_region(&s, p * PAGE + k, !off);
		}
	switch_listed(&s);
	if (any)
		set_items();
	return any;
}

static bool has_changed(const struct slot *slot)
{
	for (struct sis_budget_items *list = slot->items; list; list = list->next)
		for (size_t k = 0; k < list->count; k++)
			if (list->item[k].rung != OFF &&
			    list->item[k].rung != node_at((struct watched *)list, k)->rung)
				return true;
	return false;
}

/* First turns nodes down, then turns regions off. turn_up works in the reverse order. */
static bool turn_down(struct slot *slot, double amount)
{
	bool turned;
	double rest = sis__budget_all_down(slot->items, cost, SIS_RUNG_SAMPLED, amount);
	if ((turned = has_changed(slot)))
		turn_nodes(slot);
	if (rest <= 0)
		return turned;
	add_up_regions(slot, false);
	sis__budget_down(all_regions, cost, SIS_RUNG_SAMPLED, rest);
	return switch_changed() || turned;
}

static bool turn_up(struct slot *slot, double room)
{
	bool turned;
	add_up_regions(slot, true);
	room = sis__budget_up(all_regions, cost, OFF, room);
	turned = switch_changed();
	sis__budget_all_up(slot->items, cost, SIS_RUNG_SAMPLED, room);
	if (!has_changed(slot))
		return turned;
	turn_nodes(slot);
	return true;
}

/* Turns each region on whose time has come, for a window of this thread, and turns it off after
 * this window. A construct whose activations last long stays on. Returns whether one stays on. */
static bool look_at_regions(uint32_t slot)
{
	struct switching s = { .count = { 0 } };
	bool stays = false;
	for (uint32_t p = 0; p < PAGES; p++)
		for (uint32_t k = 0; pages[p] && k < PAGE; k++) {
			struct region *r = &pages[p]->region[k];
			if (!r->off)
				continue;
			if (r->looked_at && r->look_slot == slot && lasts(r)) {
				pages[p]->item[k].rung = SIS_RUNG_SAMPLED;
				r->off = r->looked_at = false;
				r->dirty = stays = true;
			} else if (r->looked_at && r->look_slot == slot) {
				r->looked_at = false;
				r->wait_ns *= 2;
				if (r->wait_ns > LOOK_MOST)
					r->wait_ns = LOOK_MOST;
				r->look_at_ns = now_ns + r->wait_ns;
				switch_region(&s, p * PAGE + k, false);
			} else if (!r->looked_at && now_ns >= r->look_at_ns) {
				r->looked_at = true;
				r->look_slot = slot;
				switch_region(&s, p * PAGE + k, true);
			}
		}
	switch_listed(&s);
	if (stays)
		set_items();
	return stays;
}

/* -- a look ------------------------------------------------------------------------------------ */

static void set_costs(void)
{
	if (cost[0] > 0)
		return;
	for (unsigned rung = 0; rung < OFF; rung++)
		cost[rung] = AHEAD + sis__pair_ticks[rung] * IN_PROGRAM * 1e9 /
					     (double)sis__header()->ticks_per_second;
	for (unsigned rung = 1; rung < OFF; rung++)
		if (cost[rung] > cost[rung - 1])
			cost[rung] = cost[rung - 1];
}

/* Called at the end of a thread's window: counts calls, changes rungs, and turns regions that are
 * off on for a window. They may have been turned off because of another thread. */
static void look(uint32_t number, uint64_t cpu_ns, uint64_t ticks)
{
	struct slot *slot = &slots[number];
	uint64_t began = sis__clock_ns(CLOCK_THREAD_CPUTIME_ID);
	set_costs();
	for (struct sis_chunk *chunk = last_chunk;
	     (chunk = sis__chunk_next(sis__store.base, chunk)); last_chunk = chunk)
		if (chunk->kind == SIS_CHUNK_NODES)
			watch(chunk);
	count_nodes(slot, cpu_ns);
	if (slot->windows++ == 0)
		sis__budget_init(&slot->budget, sis__config.overhead, now_ns);
	double change = sis__budget_change(&slot->budget, sis__budget_cost(slot->items, cost),
					   now_ns);
	/* This is CPU time, because on a busy machine this thread may lose its processor in
	 * between. The time for changing rungs is not included: it is longer, but rare. */
	uint64_t took = (sis__clock_ns(CLOCK_THREAD_CPUTIME_ID) - began) * COST_SHARE;
	bool turned = change < 0   ? turn_down(slot, -change)
		      : change > 0 ? turn_up(slot, change)
				   : false;
	if (turned)
		sis__budget_turned(&slot->budget, change < 0, now_ns);
	bool stays = look_at_regions(number);
	if (turned || stays)
		note_changes(ticks);
	uint64_t length = slot->windows < FIRST_WINDOWS ? FIRST_WINDOW : WINDOW;
	if (slot->windows == 1) /* the first look has begun all nodes, later looks do not */
		took = 0;
	slot->window_ns = took > length ? took : length;
}

/* Adds the CPU time of a sample, and looks at the thread if its window is over. In a thread that
 * has used little CPU time, probes cannot have cost much. */
static void take_sample(const struct sis_sample *sample)
{
	uint32_t number = sample->thread->pub.slot;
	struct slot *slot = number < SIS_SLOTS ? &slots[number] : NULL;
	if (!slot || !sample->cpu_ns)
		return;
	slot->cpu_ns += sample->cpu_ns;
	if (slot->cpu_ns < (slot->window_ns ? slot->window_ns : FIRST_WINDOW))
		return;
	now_ns = sis__ticks_to_ns(sample->ticks - sis__header()->start.ticks);
	look(number, slot->cpu_ns, sample->ticks);
	slot->cpu_ns = 0;
}

/* A thousand rounds a second take some 2 % of a processor's time, which the budget does not count.
 * So the sampler makes so many rounds only at first. Later it makes one round for each window.
 * Fewer rounds would be wrong: most of the cost of a run with a budget arises at the begin of new
 * phases of the program, until the next look. */
static void choose_rate(uint64_t ticks)
{
	enum { FIRST_ROUNDS = 100, RATE = 1000000000 / WINDOW };
	(void)ticks;
	if (rounds < FIRST_ROUNDS && ++rounds == FIRST_ROUNDS)
		sis__sampler_slow_down(RATE);
}

const struct sis_subscriber sis__rungs_subscriber = { .sample = take_sample,
						      .round = choose_rate };

void sis__rungs_new_process(void)
{
	last_chunk = NULL;
	rounds = 0;
	__builtin_memset(slots, 0, sizeof slots);
	for (uint32_t p = 0; p < PAGES; p++)
		for (uint32_t k = 0; pages[p] && k < PAGE; k++) {
			struct region *r = &pages[p]->region[k];
			__builtin_memset(r->count, 0, sizeof r->count);
			r->look_at_ns = LOOK_FIRST;
			r->looked_at = false;
		}
}

/* -- without the sampler ----------------------------------------------------------------------- */

/* Nodes that are made later get the same rung, because nothing can turn them down any more. */
void sis__rungs_without_sampler(void)
{
	struct sis_chunk *chunk = NULL;
	bool had_budget = !sis__config.trace.mode && sis__config.overhead > 0;
	if (sis__config.rung == SIS_RUNG_SAMPLED || (!sis__config.rung && had_budget)) {
		sis__clock_sample_one_in(sis__sampling ? sis__sampling : SIS_FRACTION);
		sis__config.rung = SIS_RUNG_FRACTION;
	}
	while ((chunk = sis__chunk_next(sis__store.base, chunk))) {
		struct sis_node *node = sis__payload(chunk);
		uint64_t nodes = chunk->kind == SIS_CHUNK_NODES ? chunk->used / sizeof *node : 0;
		for (uint64_t i = 0; i < nodes; i++)
			if (node[i].rung == SIS_RUNG_SAMPLED && node[i].estimate) {
				note_rung(&node[i], SIS_RUNG_FRACTION);
				__atomic_store_n(&node[i].rung, SIS_RUNG_FRACTION,
						 __ATOMIC_RELEASE);
			}
	}
}
