/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_team.c - nodes of parallel regions and their teams. Called by omp_fork.c for libgomp and
 * ompt_team.c for libomp. The thread that forks calls sis__parallel_begin and sis__parallel_end;
 * all threads of the team call sis__member_*.
 *
 *   forking thread   |fork|== body ==|..IBAR..|join|    par: from the fork to the join
 *   thread 1         |  fork  |== body ==||join|
 *   thread 2         | fork |= body =|..IBAR..|join|
 *                    start                 last  now
 *
 * Each thread has a node `par` in the tree of its own slot. All these nodes end at the same time.
 * The origin of each is the forking thread's `par`.
 *
 * The idea: a thread notes its time of arrival and releases its slot. After the join, when the last
 * arrival is known, the forking thread closes the nodes in all slots. The OpenMP runtime's barrier
 * at the end of a team orders the two. Thread number i of the first team gets slot i if it is free.
 */
#include "base/slot_table.h"
#include "base/ticks.h"
#include "measure/counters/counter.h"
#include "output/trace/tracing.h"
#include "measure/core/slot.h"
#include "measure/core/thread.h"
#include "blame/stacks/samples.h"
#include "process/no_processor.h"
#include "adapters/device/device_tasks.h"
#include "adapters/omp/tsan_annotations.h"
#include "adapters/omp/omp_team.h"
#include "adapters/omp/omp_wait.h"
#include "adapters/omp/uncontended.h"

#include <sched.h>

/* -- the members ------------------------------------------------------------------------------- */

static void members_init(struct sis_parallel *fork, struct sis_team *member, unsigned size)
{
	for (unsigned i = 0; i < size; i++) {
		__builtin_memset(&member[i], 0, offsetof(struct sis_team, interval));
		member[i].fork = fork;
		member[i].thread = i ? sis__slot_take() : fork->master;
	}
	fork->size = size;
	fork->member = member;
}

/* The first thread that asks makes all members, so that slots have the order of the members. This
 * takes a microsecond, and the other threads spin meanwhile. With a lock they would sleep in every
 * region. */
struct sis_team *sis__member(struct sis_parallel *fork, unsigned number, unsigned size)
{
	enum sis_members_state state = SIS_MEMBERS_NONE;
	if (__atomic_compare_exchange_n(&fork->members_state, &state, SIS_MEMBERS_MAKING, false,
					__ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
		struct sis_team *member = sis__team_alloc(size);
		if (member)
			members_init(fork, member, size);
		/* pairs with the acquires in this function */
		__atomic_store_n(&fork->members_state, SIS_MEMBERS_MADE, __ATOMIC_RELEASE);
	}
	for (unsigned spins = 1;
	     __atomic_load_n(&fork->members_state, __ATOMIC_ACQUIRE) != SIS_MEMBERS_MADE; spins++)
		if (spins % 256 == 0)
			sched_yield();
	return number < fork->size ? &fork->member[number] : NULL;
}

struct sis_team *sis__member_alone(struct sis_parallel *fork)
{
	struct sis_team *member = sis__team_alloc_one(fork->master);
	if (member)
		members_init(fork, member, 1);
	return member;
}

/* For each slot: the ticks at which the slot was last released at the end of a team. A thread that
 * claims a slot (sis__slot_claim) sees what was written before the slot was freed. */
static uint64_t idle_since[SIS_SLOTS];

/* The begin of a member; it is later if a signal handler has had regions in the member's thread
 * since then. */
static uint64_t after_handler(const struct sis_thread *thread, uint64_t begin)
{
	return thread->pub.stamp > begin ? thread->pub.stamp : begin;
}

/* Opens a new thread's node of the region. The node begins at the fork or, if that is later, when
 * the slot became free. Returns the ticks that the trace took, because the first event makes the
 * stream. */
static uint64_t par_open(struct sis_team *me)
{
	struct sis_thread *thread = me->thread;
	struct sis_node *origin = me->fork->par;
	uint64_t free = idle_since[thread->pub.slot];
	me->start = free > me->fork->start ? free : me->fork->start;
	if (thread->pub.stamp != thread->pub.root->start)
		me->start = after_handler(thread, me->start);
	else if (thread->pub.slot)
		thread->pub.root->start = thread->pub.stamp = me->start;
	me->par = sis__child(thread, thread->pub.current, sis_node_region(origin), origin);
	if (!me->par)
		return 0;
	uint32_t set = sis__region_fact(sis_node_region(origin))->set;
	if (set)
		sis__counters_begin(thread, me->par, set);
	me->par->calls++;
	uint64_t took = 0;
	if (thread->trace)
		took = sis__trace_enter(thread, sis_node_region(origin), me->start);
	me->par->start = me->start = after_handler(thread, me->start);
	thread->pub.current = me->par;
	me->par_folds = thread->folds;
	return took;
}

static void enter_team(struct sis_team *me)
{
	uint64_t took = 0;
	me->thread->team = me;
	if (me->thread == me->fork->master) {
		me->start = after_handler(me->thread, me->start);
		me->par = me->fork->par;
		me->par_folds = me->fork->par_folds;
	} else
		took = par_open(me);
	uint64_t now = sis__ticks();
	me->looked = me->start;
	me->lack_before = sis__no_processor_counted();
	if (me->par) {
		struct sis_node *start = sis__book_span(me->thread, me->par, RT_FORK, me->start,
							now);
		sis__interval_begin(me->thread, me->par);
		if (me->thread != me->fork->master) {
			/* before the fork this thread may have spun in a wait, and had no processor
			 */
			uint64_t late = sis__no_processor_began(me->thread, start, me->start, now);
			me->lack_before = sis__no_processor_counted() - late;
		}
		if (SIS_UNLIKELY(took && start))
			sis__book(me->thread, start, RT_PROBE, took);
		sis__single_find_open(me);
	}
	sis__single_reset(me, now);
	me->thread->pub.stamp = now;
	unsigned clauses = me->par ? sis__clauses_of(sis_node_region(me->par)) : 0;
	if (SIS_UNLIKELY(clauses) && me->par == me->thread->pub.current)
		sis__clauses_enter(me->thread, clauses, now);
}

/* Ends nodes that are still open inside the region, which was cancelled or lacks a leave. */
static void close_inside(struct sis_team *me, uint64_t now)
{
	struct sis_activation par = { me->par, me->par_folds }, at = sis__innermost(me->thread);
	uint32_t open = 0;
	for (; !sis__is_same(at, par) && at.node != me->thread->pub.root; open++)
		at = sis__outer(me->thread, at);
	if (!sis__is_same(at, par) || !open)
		return;
	while (--open)
		sis__unwind(me->thread, now);
	sis__close_current(me->thread, now);
}

static void leave_team(struct sis_team *me)
{
	uint64_t now = sis__ticks();
	if (me->par) {
		sis__clauses_leave(me->thread, now);
		close_inside(me, now);
		sis__single_total(me, now);
		if (me->thread != me->fork->master && me->par->values)
			sis__counters_end(me->par);
		sis__member_arrives(me, now);
		if (me->fork->size > 1 || me->made_tasks || me->thread->trace)
			me->wait = sis__begin(me->thread, RT_IBAR, now);
		else
			sis__count_no_wait(me->thread, RT_IBAR);
	}
	me->task_ticks = 0;
	me->becauses = 0;
	me->busy = me->arrival = now;
}

struct sis_thread *sis__member_begin(struct sis_team *me)
{
	struct sis_thread *before = sis__local.own;
	if (me->thread != me->fork->master) {
		me->thread->stack_origin = me->fork->stack_origin;
		before = sis__set_thread_state(me->thread);
		sis__stacks_member_begin();
	}
	enter_team(me);
	return before;
}

void sis__member_end(struct sis_team *me, struct sis_thread *before)
{
	bool forks = me->thread == me->fork->master;
	if (!forks || sis__local.own == me->thread)
		leave_team(me);
	if (!forks)
		sis__set_thread_state(before);
}

/* -- the forking thread ------------------------------------------------------------------------ */

/* Whether the current node is that of the construct that forks, and not one of an outer team. */
static bool in_construct(const struct sis_thread *thread)
{
	enum sis_region_type type = sis__current_type(thread);
	if (type != CR_OMPPA && type != CR_OMPPAFOR && type != CR_OMPPASEC)
		return false;
	if (!thread->team)
		return true;
	struct sis_activation par = { thread->team->par, thread->team->par_folds };
	return !sis__is_same(sis__innermost(thread), par);
}

bool sis__parallel_begin(struct sis_parallel *fork, void (*body)(void *))
{
	struct sis_thread *thread = sis__thread();
	*fork = (struct sis_parallel){ .first = NULL };
	if (!thread)
		return sis__local.muted || sis__local.own;
	uint64_t now = sis__ticks();
	if (!in_construct(thread))
		fork->made = sis__begin(thread,
					sis__caller_region_of(RT_PARALLEL,
							      (const void *)(uintptr_t)body), now);
	fork->par = thread->pub.current;
	fork->par_folds = thread->folds;
	fork->outer = thread->team;
	fork->start = now;
	fork->master = thread;
	fork->stack_origin = sis__stacks_origin();
	return true;
}

/* Applies omp_wait.c to the arrivals at the end of the team. Returns false if all waits are
 * imbalance. */
static bool arrivals(const struct sis_parallel *fork, uint64_t last, struct sis_arrival *arrival)
{
	uint64_t first = last, single = 0;
	for (unsigned i = 0; i < fork->size; i++) {
		const struct sis_team *member = &fork->member[i];
		uint64_t at = member->arrival ? member->arrival : last;
		arrival[i] = (struct sis_arrival){
			.at = at, .single = member->single, .member = i
		};
		first = at < first ? at : first;
		single |= member->single;
	}
	if (!single || last - first < sis__wait_short())
		return false;
	sis__wait_split(arrival, fork->size);
	return true;
}

void sis__wait_end(struct sis_team *me, const struct sis_member_wait *wait)
{
	struct sis_thread *thread = wait->thread;
	struct sis_node *unpar_node = NULL, *part_node = NULL;
	uint64_t all = sis__ticks_between(wait->arrival, wait->now), end = wait->arrival + all;
	/* Time in tasks that the member executed meanwhile is no wait. */
	uint64_t idle = sis__ticks_between(me->task_ticks, all);
	uint64_t unpar = wait->unpar < idle ? wait->unpar : idle;
	uint64_t part = wait->part < idle - unpar ? wait->part : idle - unpar;
	uint64_t rest = idle - unpar - part;
	sis__end(thread, wait->node, end - unpar - part);
	struct sis_node *parent = thread->pub.current;
	if (unpar)
		unpar_node = sis__book_span(thread, parent, RT_UNPAR, end - unpar - part,
					    end - part);
	if (part)
		part_node = sis__book_span(thread, parent, RT_PART, end - part, end);
	thread->pub.stamp = wait->now;
	if (wait->last && idle >= sis__wait_short() && sis__culprits_have_room(thread))
		sis__wait_note(me, wait, &(struct sis_wait_parts){
			wait->node, unpar_node, part_node, rest, unpar, part });
}

/* lack: how long the forking thread had no processor in the join, in ns. */
static void member_close(struct sis_team *me, struct sis_member_wait *wait, uint64_t now,
			 uint64_t lack)
{
	struct sis_thread *thread = me->thread;
	wait->thread = thread;
	wait->node = me->wait;
	wait->arrival = me->arrival;
	if (me->wait)
		sis__wait_end(me, wait);
	if (wait->join > wait->now)
		sis__book_span(thread, me->par, RT_DEVWAIT, wait->now, wait->join);
	struct sis_node *join = sis__book_span(thread, me->par, RT_JOIN, wait->join, now);
	if (join && lack)
		sis__no_processor_put(thread, join, wait->join, now, lack);
	if (thread == me->fork->master)
		return;
	/* sis__end is not called, because it would read the counters of the calling thread;
	 * leave_team has read those of the member. */
	struct sis_node *par = me->par;
	uint64_t ticks = sis__ticks_between(par->start, now);
	thread->pub.stamp = now;
	par->total += ticks;
	sis__add_inside_of(par->parent, ticks);
	par->min = ticks < par->min ? ticks : par->min;
	par->max = ticks > par->max ? ticks : par->max;
	if (thread->trace)
		sis__trace_leave(thread, now);
	thread->pub.current = par->parent;
}

/* When the join begins. end: from then on, no member worked. */
static uint64_t join_begin(uint64_t end, uint64_t now)
{
	struct sis_device_wait device = sis__device_wait_since(end, now);
	return sis__device_waited(device) ? device.until : end;
}

/* How long the forking thread had no processor since the last arrival. All threads wait for it,
 * because it ends the region for all. */
static uint64_t join_lack(const struct sis_parallel *fork, uint64_t end, uint64_t now)
{
	const struct sis_team *me = fork->member;
	uint64_t before = sis__no_processor_counted(),
		 most = sis__ticks_to_ns(sis__ticks_between(end, now));
	if (!me->par || !me->arrival)
		return 0;
	sis__member_waited(me, me->wait, me->arrival + me->task_ticks, now);
	uint64_t lack = sis__no_processor_counted() - before;
	return lack < most ? lack : most;
}

static void members_close(struct sis_parallel *fork, uint64_t now)
{
	struct sis_arrival arrival[SIS_TEAM_SPLIT];
	const struct sis_team *last = NULL, *came = NULL;
	for (unsigned i = 0; i < fork->size; i++) {
		const struct sis_team *member = &fork->member[i];
		if (member->busy && (!last || member->busy > last->busy))
			last = member;
		if (member->arrival && (!came || member->arrival > came->arrival))
			came = member;
	}
	uint64_t end = last ? last->busy : 0, join = last ? join_begin(end, now) : 0;
	bool split = fork->size <= SIS_TEAM_SPLIT && arrivals(fork, end, arrival);
	uint64_t lack = last ? join_lack(fork, join, now) : 0;
	for (unsigned i = 0; i < fork->size; i++) {
		const struct sis_arrival *of = &arrival[i];
		struct sis_team *member = &fork->member[split ? of->member : i];
		struct sis_member_wait wait = { .now = end, .join = join,
						.last = came ? last : NULL,
						.came = came,
						.came_at = came ? came->arrival : 0 };
		if (split)
			wait.unpar = of->unpar, wait.part = of->part;
		if (member->par && member->arrival)
			member_close(member, &wait, now, lack);
	}
}

static void alone_close(struct sis_parallel *fork, uint64_t now)
{
	struct sis_team *me = fork->member;
	struct sis_member_wait wait = { .now = me->busy, .join = join_begin(me->busy, now) };
	if (me->par && me->arrival)
		member_close(me, &wait, now, 0);
	sis__team_free_one(fork->master, me);
}

static void team_close(struct sis_parallel *fork, uint64_t now)
{
	members_close(fork, now);
	for (unsigned i = 1; i < fork->size; i++) {
		struct sis_thread *thread = fork->member[i].thread;
		if (!thread)
			continue;
		idle_since[thread->pub.slot] = now;
		sis__slot_release(thread, now); /* its root lasts until the join */
	}
	sis__team_free(fork->member);
}

void sis__parallel_end(struct sis_parallel *fork)
{
	struct sis_thread *master = fork->master;
	sis__order_after(fork);
	if (!master || sis__local.own != master)
		return;
	uint64_t now = sis__ticks();
	if (fork->member)
		(fork->size == 1 ? alone_close : team_close)(fork, now);
	master->team = fork->outer;
	sis__end(master, fork->made, now);
	if (SIS_UNLIKELY(sis__local.muted))
		sis__unmeasured_begin(master, now);
}
