/* thread.c - how a thread finds its state. Every thread, on its first probe, when muted, and at its end.
 *
 *      sis__self --> sis__empty                          every probe asks first (slow path)
 *                --> slot's sis_thread --> current node  measured
 *
 * In a process that traces, threads stay with the empty one, and sis__local.traced has their state (probe.c).
 */
#include "wait_causes/culprit.h"
#include "trace/tracing.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

struct sis_node sis__no_node = { .parent = &sis__no_node, .last_child = &sis__no_node, .next = &sis__no_node };
SIS_EXPORT struct sis_thread sis__empty = { .pub = { .current = &sis__no_node, .root = &sis__no_node }, .sites = SIS_SITES,
					    .record_pack = SIS_NO_PACK };
SIS_EXPORT __thread struct sis__thread *sis__self __attribute__((tls_model("initial-exec"))) =
	(struct sis__thread *)&sis__empty;
__thread struct sis_local sis__local;
long sis__near_distance;

#define SAME_PLACE(field) _Static_assert(offsetof(struct sis__node, field) == offsetof(struct sis_node, field), #field)
SAME_PLACE(region);
SAME_PLACE(children);
SAME_PLACE(parent);
SAME_PLACE(last_child);
SAME_PLACE(next);
SAME_PLACE(start);
SAME_PLACE(calls);
SAME_PLACE(total);
SAME_PLACE(min);
SAME_PLACE(max);
_Static_assert(offsetof(struct sis__thread, current) == offsetof(struct sis_thread, pub.current), "current");
_Static_assert(offsetof(struct sis__thread, stamp) == offsetof(struct sis_thread, pub.stamp), "stamp");
_Static_assert(offsetof(struct sis__thread, sites) == offsetof(struct sis_thread, sites), "sites");
_Static_assert(sizeof ((struct sis__thread *)0)->site == sizeof ((struct sis_thread *)0)->site, "site");
_Static_assert(offsetof(struct sis__thread, site[0].id) == offsetof(struct sis_thread, site[0].id), "id");
_Static_assert(offsetof(struct sis__thread, site[0].routine) == offsetof(struct sis_thread, site[0].routine), "routine");
_Static_assert(offsetof(struct sis__thread, site[0].node) == offsetof(struct sis_thread, site[0].node), "node");
_Static_assert(offsetof(struct sis__thread, entered_from) == offsetof(struct sis_thread, entered_from), "entered_from");

/* -- whose state it is --------------------------------------------------------------------------------- */

void sis__refresh(void)
{
	struct sis_local *local = &sis__local;
	bool on = local->own && sis__store_is_live() && !(local->muted | local->skipped | local->inside);
	local->traced = on && local->own->trace ? local->own : NULL;
	sis__point(on && !local->traced ? local->own : &sis__empty);
}

/* By each unit of the program, the first time before any of its probes has found a thread. */
SIS_EXPORT void sis__near_at(long distance, unsigned *timing)
{
	if (sis__near_distance)
		return;
	sis__clock_tell(timing);
	sis__near_distance = distance;
	sis__refresh();
}

SIS_EXPORT struct sis_thread *sis__become(struct sis_thread *thread)
{
	struct sis_thread *before = sis__local.own;
	if (SIS_UNLIKELY(sis__local.tid == 0))
		sis__local.tid = (uint32_t)syscall(SYS_gettid);
	if (thread)
		thread->pub.tid = sis__local.tid;
	sis__local.own = thread;
	sis__local.muted = sis__local.paused = sis__local.skipped = 0;
	sis__refresh();
	return before;
}

/* -- attach and exit --------------------------------------------------------------------------------------- */

static pthread_key_t exit_key;
static bool exit_key_made;

/* A program whose initial thread ends before it goes on until the last thread does. Ours would be there for ever. */
static void stop_our_threads(void)
{
	if ((pid_t)syscall(SYS_gettid) != getpid())
		return;
	sis__trace_writer_stop();
	sis__sensors_stop();
}

/* Destructors of others may enter regions after this one: then the thread is attached again. libc goes through all of them
 * several times, as long as there is something to destroy: this is called each time, so that what was attached is let go. */
static void thread_exit(void *again)
{
	struct sis_thread *thread = sis__local.own;
	if (thread)
		sis__meet_tell((const void *)pthread_self());
	stop_our_threads();
	sis__local.exits++;
	sis__become(NULL);
	if (thread && sis__store_is_live())
		sis__slot_end(thread);
	if (sis__local.exits < PTHREAD_DESTRUCTOR_ITERATIONS)
		pthread_setspecific(exit_key, again);
}

void sis__threads_init(void)
{
	exit_key_made = pthread_key_create(&exit_key, thread_exit) == 0;
}

/* The initial thread has slot 0 reserved, unless it has ended before. */
static struct sis_thread *slot_for_this_thread(void)
{
	if (sis__local.exits == 0 && (pid_t)syscall(SYS_gettid) == getpid())
		return sis__slot(0);
	return sis__slot_take();
}

static void attach(void)
{
	struct sis_local *local = &sis__local;
	if (local->refused || local->exits >= PTHREAD_DESTRUCTOR_ITERATIONS || !sis__store_open())
		return;
	sigset_t before;
	sis__guard_alone(&before);
	struct sis_thread *thread = slot_for_this_thread();
	if (thread && exit_key_made)
		pthread_setspecific(exit_key, thread);
	local->refused = !thread;
	if (thread)
		sis__become(thread); /* before a handler can ask for one, too */
	sis__unguard_alone(&before);
}

SIS_EXPORT struct sis_thread *sis__thread_slow(void)
{
	struct sis_local *local = &sis__local;
	if (local->traced)
		return local->traced;
	int saved = errno;
	if (!(local->inside | local->muted | local->skipped)) {
		sis__start();
		if (!local->own)
			attach();
		else if (sis__store_open()) /* a forked child's first probe */
			sis__refresh();
	}
	errno = saved;
	struct sis__thread *self = sis__self;
	return self == (struct sis__thread *)&sis__empty ? local->traced : (struct sis_thread *)self;
}

/* -- muting ------------------------------------------------------------------------------------------------- */

/* Off and on stand in one block, so that what was skipped between them and is still open then was left by a jump. */
SIS_EXPORT void sis_measure(int on)
{
	struct sis_local *local = &sis__local;
	if (!on && local->muted++ == 0)
		local->skipped_before = local->skipped;
	if (on && local->muted > 0 && --local->muted == 0 && local->skipped > local->skipped_before)
		local->skipped = local->skipped_before;
	sis__refresh();
}
