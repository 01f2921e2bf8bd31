/* SPDX-License-Identifier: BSD-3-Clause */
/* papi_running.c - the events that a thread counts. Called by the thread that is measured, also
 * when it ends, and in a forked child.
 *
 * PAPI lets a thread run one event set of a component at a time. So the regions of a thread share
 * one set for each component. It has the component's events that they have asked for so far. The
 * set counts without a stop and is never reset: regions subtract two readings. If a region asks for
 * a new event, the set is stopped, extended and started again, and `before` keeps what it had
 * counted. New events are rare. Only the runtime's own work is not counted meanwhile. Reading is
 * one PAPI_read for each component. If processor and kernel allow it, PAPI_read uses rdpmc.
 *
 * LIMIT: a region that asks for one event of a component also reads the events that other regions
 * of the thread asked for. If reading is a system call, this costs nothing more. With rdpmc each
 * event costs some nanoseconds.
 * LIMIT: in a forked child, regions that were open at the fork lack their counts until the child's
 * first reading. PAPI takes milliseconds to start again, and children that only call exec should
 * not have this cost.
 * LIMIT: PAPI reads a set by rdpmc only if this is possible for all of its events. If the kernel
 * counts one of them, such as page faults, reading the set is a system call.
 * LIMIT: a program that uses PAPI itself cannot start a set in threads whose regions count, because
 * the runtime's set is running there.
 * LIMIT: PAPI's descriptors that a forked child inherits stay open in the child, because PAPI does
 * not tell their numbers.
 */
#include "apart/modules/papi_events.h"

#include <limits.h>
#include <papi.h>
#include <pthread.h>
#include <stdlib.h>

struct running {
	int set;                        /* PAPI's; PAPI_NULL: none */
	int count;
	/* indexes of the events in papi_event, in the set's order */
	int number[PAPI_MOST];
	/* counts before the last start of the set, minus the values with which the counters began
	 */
	uint64_t before[PAPI_MOST];
	uint64_t most[PAPI_MOST];       /* the highest value so far, as estimates may decrease */
	long long now[PAPI_MOST];       /* values that were last read */
	const char *failed;             /* why the set cannot be read any more; NULL: it can */
	/* why an event cannot be counted together with the others */
	const char *refused;
};

enum { REFUSED = 255 };

struct counting { /* what a thread counts */
	struct running *running[PAPI_COMPONENTS];
	/* for each event, its index in the set of its component, from 1; 0: not counted yet; or
	 * REFUSED */
	unsigned char index[PAPI_EVENTS];
};

static __thread struct counting *mine;
static __thread int ends; /* how often the thread's destructor has run */
static pthread_key_t end_key;
static bool forked;       /* this is a forked child: PAPI has to be initialized again */

/* -- starting ---------------------------------------------------------------------------------- */

/* Starts the set. Counters may begin with any value, which is subtracted from `before`. */
static const char *start(struct running *r, int component)
{
	int code[PAPI_MOST];
	for (int i = 0; i < r->count; i++)
		code[i] = papi_event[r->number[i]].code;
	int failed = papi_start_set(&r->set, code, r->count, component,
				    papi_multiplexed[component]);
	if (failed == PAPI_OK && (failed = PAPI_read(r->set, r->now)) != PAPI_OK) {
		PAPI_stop(r->set, r->now);
		papi_drop_set(&r->set);
	}
	for (int i = 0; i < r->count && failed == PAPI_OK; i++)
		r->before[i] -= (uint64_t)r->now[i];
	return failed == PAPI_OK ? NULL : papi_reason(failed);
}

static void stop(struct running *r)
{
	if (r->set == PAPI_NULL)
		return;
	int failed = PAPI_stop(r->set, r->now);
	for (int i = 0; i < r->count && failed == PAPI_OK; i++)
		r->before[i] += (uint64_t)r->now[i];
	if (failed != PAPI_OK)
		r->failed = papi_reason(failed);
	papi_drop_set(&r->set);
}

/* Adds the component's events of the region that the thread does not count yet. */
static void add_new(struct counting *me, struct running *r, int component, const int *number,
		    int count)
{
	for (int i = 0; i < count; i++) {
		if (papi_event[number[i]].component != component || me->index[number[i]])
			continue;
		if (r->count == PAPI_MOST) {
			me->index[number[i]] = REFUSED;
			continue;
		}
		r->number[r->count] = number[i];
		r->before[r->count] = r->most[r->count] = 0;
		me->index[number[i]] = (unsigned char)++r->count;
	}
}

/* If the new events cannot be counted, the set goes on without them. */
static __attribute__((noinline)) void grow(struct counting *me, struct running *r, int component,
					   const int *number, int count)
{
	int before = r->count;
	stop(r);
	add_new(me, r, component, number, count);
	const char *failed = r->failed ? NULL : start(r, component);
	if (!failed)
		return;
	r->refused = failed;
	while (r->count > before)
		me->index[r->number[--r->count]] = REFUSED;
	if (before)
		r->failed = start(r, component);
}

void papi_running_pause(int component)
{
	struct running *r = mine ? mine->running[component] : NULL;
	if (r && !forked)
		stop(r);
}

void papi_running_resume(int component)
{
	struct running *r = mine ? mine->running[component] : NULL;
	if (r && !forked && !r->failed && r->count)
		r->failed = start(r, component);
}

/* -- the beginning and end of threads ---------------------------------------------------------- */

void papi_running_forget(void)
{
	for (int i = 0; mine && i < PAPI_COMPONENTS; i++) {
		if (mine->running[i])
			stop(mine->running[i]);
		free(mine->running[i]);
	}
	free(mine);
	mine = NULL;
}

/* Ends the sets only after the last call of the runtime's destructor (process/thread_exit.c), after
 * which no region is entered. The key of the runtime's destructor is older, so in each round that
 * destructor is called first.
 */
static void end_thread(void *counting)
{
	if (++ends < PTHREAD_DESTRUCTOR_ITERATIONS - 1) {
		pthread_setspecific(end_key, counting);
		return;
	}
	papi_running_forget();
	PAPI_unregister_thread();
}

static void child(void)
{
	/* the sets belong to the parent's thread, so their descriptors must not be used */
	mine = NULL;
	forked = true;
}

void papi_running_init(void)
{
	pthread_key_create(&end_key, end_thread);
	pthread_atfork(NULL, NULL, child);
}

bool papi_running_ready(void)
{
	if (forked && papi_after_fork() != PAPI_OK)
		return false;
	forked = false;
	return true;
}

static __attribute__((noinline)) const char *begin(void)
{
	if (ends >= PTHREAD_DESTRUCTOR_ITERATIONS - 1)
		return "the thread has ended";
	if (!papi_running_ready())
		return "PAPI does not work in this forked process";
	int failed = PAPI_register_thread();
	mine = failed == PAPI_OK ? calloc(1, sizeof *mine) : NULL;
	if (mine)
		pthread_setspecific(end_key, mine);
	return mine ? NULL : failed == PAPI_OK ? "no memory" : papi_reason(failed);
}

/* -- reading ----------------------------------------------------------------------------------- */

/* Reads the component's set. Returns NULL if there is no memory for a set. */
static struct running *refresh(struct counting *me, int component, const int *number, int count)
{
	struct running *r = me->running[component];
	bool all = true;
	if (!r) {
		r = me->running[component] = calloc(1, sizeof *r);
		if (r)
			r->set = PAPI_NULL;
	}
	if (!r || r->failed)
		return r;
	for (int i = 0; i < count && all; i++)
		all = papi_event[number[i]].component != component || me->index[number[i]];
	if (!all)
		grow(me, r, component, number, count); /* also reads the set */
	else if (r->count) {
		int failed = PAPI_read(r->set, r->now);
		r->failed = failed == PAPI_OK ? NULL : papi_reason(failed);
	}
	return r;
}

static uint64_t counted(struct running *r, int component, int at)
{
	uint64_t value = r->before[at] + (uint64_t)r->now[at];
	if (!papi_multiplexed[component])
		return value;
	r->most[at] = value > r->most[at] ? value : r->most[at];
	return r->most[at];
}

const char *papi_running_read(const int *number, int count, uint64_t *value, uint32_t *lost)
{
	uint32_t fresh = 0; /* a bit for each component that has been read */
	const char *why = mine ? NULL : begin();
	*lost = why ? ~UINT32_C(0) : 0;
	for (int i = 0; i < count && mine; i++) {
		int component = papi_event[number[i]].component, index;
		struct running *r = fresh >> component & 1
					    ? mine->running[component]
					    : refresh(mine, component, number, count);
		fresh |= UINT32_C(1) << component;
		index = mine->index[number[i]];
		if (r && !r->failed && index && index != REFUSED) {
			value[i] = counted(r, component, index - 1);
			continue;
		}
		*lost |= UINT32_C(1) << i;
		why = !r           ? "no memory"
		      : r->failed  ? r->failed
		      : r->refused ? r->refused
				   : "too many events of one component";
	}
	return why;
}
