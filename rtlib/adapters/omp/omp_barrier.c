/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_barrier.c - waits at the barriers inside a team, and the worksharing constructs that give
 * work to one member: single, sections. Called by the members of the team.
 *
 * The idea: every member publishes its arrival before a barrier, and reads the arrivals of other
 * members after the barrier. Two buffers are enough: no member passes the next barrier while
 * another member still reads the arrivals at this one.
 */
#include "adapters/device/device_tasks.h"
#include "adapters/omp/tsan_annotations.h"
#include "adapters/omp/omp_team.h"
#include "adapters/omp/omp_wait.h"
#include "adapters/omp/uncontended.h"

/* A muted member also counts the barriers and publishes its arrival, because the waits of other
 * members depend on it. */
struct sis_barrier sis__barrier_begin(uint32_t id)
{
	struct sis_barrier wait = { .span = { sis__thread(), NULL },
				    .me = sis__team(),
				    .arrival = sis__ticks() };
	if (wait.me) {
		wait.me->published[wait.me->generation % 2] = (struct sis_published){
			.generation = wait.me->generation, .at = wait.arrival,
			.single = sis__single_total(wait.me, wait.arrival)
		};
		sis__member_arrives(wait.me, wait.arrival);
		wait.me->task_ticks = 0;
		wait.me->becauses = 0;
		sis__order_before(wait.me->fork);
	}
	if (wait.span.thread) {
		sis__privates_over(wait.span.thread);
		wait.span.node = sis__begin(wait.span.thread, sis__caller_region(id),
					    wait.arrival);
	}
	return wait;
}

/* Reads all arrivals at this barrier. Finds the member that came last and when it came, and the
 * member whose task ended last and when. Returns false if not all arrivals are known. */
static bool arrivals(const struct sis_barrier *wait, uint64_t now, struct sis_arrival *arrival,
		     struct sis_member_wait *whole, uint64_t *latest)
{
	const struct sis_team *me = wait->me;
	const struct sis_parallel *fork = me->fork;
	uint64_t came_at = 0;
	*latest = 0;
	for (unsigned i = 0; i < fork->size; i++) {
		const struct sis_published *other = &fork->member[i].published[me->generation % 2];
		if (other->generation != me->generation || !fork->member[i].thread)
			return false;
		arrival[i] = (struct sis_arrival){
			.at = other->at, .single = other->single, .member = i
		};
		uint64_t at = sis__task_ended(&fork->member[i], other->at, now);
		if (other->at >= came_at) {
			came_at = other->at;
			whole->came = &fork->member[i];
		}
		if (at >= *latest) {
			*latest = at;
			whole->last = &fork->member[i];
		}
	}
	whole->came_at = came_at;
	return true;
}

static void wait_split(const struct sis_barrier *wait, uint64_t now)
{
	struct sis_arrival arrival[SIS_TEAM_SPLIT];
	struct sis_team *me = wait->me;
	struct sis_member_wait whole = { wait->span.thread, wait->span.node, wait->arrival, now,
					 .last = NULL };
	struct sis_device_wait device = { now, now };
	uint64_t latest;
	if (!arrivals(wait, now, arrival, &whole, &latest)) {
		whole.came = whole.last = NULL;
	} else {
		uint64_t single = 0;
		device = sis__device_wait_since(latest, now);
		whole.now = device.from;
		sis__member_goes_on(me, &whole, latest);
		for (unsigned i = 0; i < me->fork->size; i++)
			single |= arrival[i].single;
		if (single)
			sis__wait_split(arrival, me->fork->size);
		for (unsigned i = 0; single && i < me->fork->size; i++)
			if (&me->fork->member[arrival[i].member] == me) {
				whole.unpar = arrival[i].unpar;
				whole.part = arrival[i].part;
			}
	}
	sis__wait_end(me, &whole);
	struct sis_node *node = whole.thread->pub.current, *booked = NULL;
	if (sis__device_waited(device))
		booked = sis__book_span(whole.thread, node, RT_DEVWAIT, device.from, now);
	sis__device_tasks_give(whole.thread, booked ? booked : node);
}

void sis__barrier_end(const struct sis_barrier *wait, bool passed)
{
	struct sis_team *me = wait->me;
	uint64_t now = sis__ticks();
	if (me)
		sis__order_after(me->fork);
	if (me)
		sis__member_waited(me, wait->span.node, wait->arrival + me->task_ticks, now);
	if (wait->span.node) {
		bool split = passed && me && me->fork->size <= SIS_TEAM_SPLIT &&
			     now - wait->arrival >= sis__wait_short();
		if (split)
			wait_split(wait, now);
		else
			sis__end(wait->span.thread, wait->span.node, now);
	}
	if (wait->span.thread)
		sis__time_waited(wait->span.thread, wait->arrival, now);
	if (me) {
		sis__single_reset(me, now);
		me->made_tasks = false;
		me->generation++;
	}
}

/* -- barriers of libgomp ----------------------------------------------------------------------- */

static struct sis_barrier barrier_begin(uint32_t id)
{
	return sis__omp_has_callbacks() ? (struct sis_barrier){ .me = NULL }
					: sis__barrier_begin(id);
}

static uint32_t barrier_id(const struct sis_thread *thread)
{
	return thread && sis__current_type(thread) == CR_OMPBARRIER ? RT_EBAR : RT_IBAR;
}

/* Whether no thread waits here, so that the call is only passed on. There are two cases: this
 * thread is not measured and no other thread reads its arrival; or this thread is alone in its
 * team. In the second case the call is counted, in region `id` (0: the region of a barrier). The
 * result is false if a thread that is alone has created tasks, because the tasks may be executed
 * inside the barrier. */
static bool passes(uint32_t id)
{
	struct sis_thread *thread = sis__thread_direct();
	if (!thread)
		return sis__local.off;
	if (!sis__is_alone(thread) || (thread->team && thread->team->made_tasks))
		return false;
	sis__privates_over(thread);
	sis__count_no_wait(thread, id ? id : barrier_id(thread));
	return true;
}

#define SIS_OMP_BARRIER(name) \
	void name(void) \
	{ \
		if (passes(0)) { \
			SIS_OMP_REALLY(name)(); \
			return; \
		} \
		struct sis_barrier wait = barrier_begin(barrier_id(sis__thread())); \
		SIS_OMP_REALLY(name)(); \
		sis__barrier_end(&wait, true); \
	}
#define SIS_OMP_BARRIER_CANCEL(name) \
	bool name(void) \
	{ \
		if (passes(0)) \
			return SIS_OMP_REALLY(name)(); \
		struct sis_barrier wait = barrier_begin(barrier_id(sis__thread())); \
		bool cancelled = SIS_OMP_REALLY(name)(); \
		sis__barrier_end(&wait, !cancelled); \
		return cancelled; \
	}
#define SIS_OMP_TIMED(result, name, signature, wait, same)
#define SIS_OMP_DOACROSS(name, signature)
#define SIS_OMP_FORK(name, signature)
#define SIS_OMP_OWN(result, name, signature)
#define SIS_OMP_REAL(result, name, signature)
#include "adapters/omp/omp_entry.def"

/* -- single ------------------------------------------------------------------------------------ */

static void single_begin(void)
{
	struct sis_team *me = sis__omp_has_callbacks() ? NULL : sis__team_of_several();
	if (me)
		sis__single_begin(me, sis__ticks());
}

/* A thread that calls this has completed its private copies. */
bool GOMP_single_start(void)
{
	sis__privates_end();
	bool mine = SIS_OMP_REALLY(GOMP_single_start)();
	if (mine)
		single_begin();
	return mine;
}

/* With copyprivate, the other members wait in this call for the member that executes the single.
 * This member arrives at the same barrier in GOMP_single_copy_end, and publishes its arrival there
 * again. */
void *GOMP_single_copy_start(void)
{
	if (passes(RT_COPYPRIV))
		return SIS_OMP_REALLY(GOMP_single_copy_start)();
	struct sis_barrier wait = barrier_begin(RT_COPYPRIV);
	void *copied = SIS_OMP_REALLY(GOMP_single_copy_start)();
	if (copied)
		sis__barrier_end(&wait, true);
	else {
		sis__span_end(wait.span);
		single_begin();
	}
	return copied;
}

void GOMP_single_copy_end(void *data)
{
	if (passes(RT_COPYPRIV)) {
		SIS_OMP_REALLY(GOMP_single_copy_end)(data);
		return;
	}
	struct sis_barrier wait = barrier_begin(RT_COPYPRIV);
	SIS_OMP_REALLY(GOMP_single_copy_end)(data);
	sis__barrier_end(&wait, true);
}

/* -- sections ---------------------------------------------------------------------------------- */

static struct sis_span section_ask(void)
{
	struct sis_team *me = sis__omp_has_callbacks() ? NULL : sis__team_of_several();
	if (me)
		sis__single_end(me, sis__ticks());
	return sis__span_begin(RT_SCHED, CR_NONE);
}

static unsigned section_got(struct sis_span span, unsigned section)
{
	sis__span_end(span);
	if (section)
		single_begin();
	return section;
}

unsigned GOMP_sections_start(unsigned count)
{
	struct sis_span span = section_ask();
	return section_got(span, SIS_OMP_REALLY(GOMP_sections_start)(count));
}

unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **mem)
{
	struct sis_span span = section_ask();
	return section_got(span, SIS_OMP_REALLY(GOMP_sections2_start)(count, reductions, mem));
}

unsigned GOMP_sections_next(void)
{
	struct sis_span span = section_ask();
	return section_got(span, SIS_OMP_REALLY(GOMP_sections_next)());
}
