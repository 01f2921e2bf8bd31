/* papi_running.c - the events that a thread counts. Called by the thread that is measured; the end of a thread and
 * a forked child come here, too.
 *
 * PAPI lets a thread run one event set of a component at a time. So the regions of a thread share one, which has
 * what any of them has asked for so far, counts from then on without a stop, and is never set back: regions take differences. A
 * region that asks for something new stops it, adds that, and starts it again; what it had counted is kept in
 * `before`. That is rare, and what passes meanwhile is the runtime's own work, which nobody wants counted. Reading
 * is one PAPI_read for a component, which is rdpmc where processor and kernel let programs do that.
 *
 * LIMIT: a region that asks for one event of a component also reads those that other regions of the thread asked of it:
 * nothing more where reading is a system call, some nanoseconds each where it is rdpmc.
 * LIMIT: in a forked child regions that were open at the fork lack what they did until its first reading, since PAPI takes
 * milliseconds to begin anew, which children that only call exec should not pay.
 * LIMIT: descriptors that a forked child inherits stay open in it: PAPI does not say which they are.
 */
#include "papi_events.h"

#include <limits.h>
#include <papi.h>
#include <pthread.h>
#include <stdlib.h>

struct running {
	int set;                        /* PAPI's; PAPI_NULL: none */
	int count;
	int number[PAPI_MOST];          /* of the events, as papi_event counts them, in the set's order */
	uint64_t before[PAPI_MOST];     /* counted until the set was last started, less what the counters began with */
	uint64_t most[PAPI_MOST];       /* read so far: an estimate may shrink, a count does not */
	long long now[PAPI_MOST];       /* as last read */
	const char *failed;             /* why it cannot be read any more */
};

struct counting { /* a thread's */
	struct running *running[PAPI_COMPONENTS];
	unsigned char place[PAPI_EVENTS]; /* of an event in the set of its component, from 1; 0: it is not counted yet */
};

static __thread struct counting *mine;
static __thread int ends; /* how often the thread's destructor has run */
static pthread_key_t end_key;
static bool forked;       /* PAPI is the parent's: to be begun anew */

/* -- starting ----------------------------------------------------------------------------------------------- */

/* Where its counters begin is no matter: `before` makes up for it. */
static const char *start(struct running *r, int component)
{
	int code[PAPI_MOST];
	for (int i = 0; i < r->count; i++)
		code[i] = papi_event[r->number[i]].code;
	int failed = papi_start_set(&r->set, code, r->count, component, papi_multiplexed[component]);
	if (failed == PAPI_OK && (failed = PAPI_read(r->set, r->now)) != PAPI_OK) {
		PAPI_stop(r->set, r->now);
		papi_drop_set(&r->set);
	}
	for (int i = 0; i < r->count && failed == PAPI_OK; i++)
		r->before[i] -= (uint64_t)r->now[i];
	return failed == PAPI_OK ? NULL : PAPI_strerror(failed);
}

static void stop(struct running *r)
{
	if (r->set == PAPI_NULL)
		return;
	int failed = PAPI_stop(r->set, r->now);
	for (int i = 0; i < r->count && failed == PAPI_OK; i++)
		r->before[i] += (uint64_t)r->now[i];
	if (failed != PAPI_OK)
		r->failed = PAPI_strerror(failed);
	papi_drop_set(&r->set);
}

static const char *add(struct counting *me, struct running *r, int number)
{
	if (r->count == PAPI_MOST)
		return "too many events of one component";
	r->number[r->count] = number;
	r->before[r->count] = r->most[r->count] = 0;
	me->place[number] = (unsigned char)++r->count;
	return NULL;
}

/* What the region asks of the component and the thread does not count yet. */
static __attribute__((noinline)) const char *grow(struct counting *me, int component, const int *number, int count)
{
	struct running *r = me->running[component];
	if (!r)
		r = me->running[component] = calloc(1, sizeof *r);
	if (!r)
		return "no memory";
	if (r->count == 0)
		r->set = PAPI_NULL;
	stop(r);
	for (int i = 0; i < count && !r->failed; i++)
		if (papi_event[number[i]].component == component && !me->place[number[i]])
			r->failed = add(me, r, number[i]);
	if (!r->failed)
		r->failed = start(r, component);
	return r->failed;
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
	if (r && !forked && !r->failed)
		r->failed = start(r, component);
}

/* -- the beginning and end of threads ------------------------------------------------------------------------- */

/* After the last of the destructors in which regions may be entered (thread.c): its key is older than this one. */
static void end_thread(void *counting)
{
	if (++ends < PTHREAD_DESTRUCTOR_ITERATIONS - 1) {
		pthread_setspecific(end_key, counting);
		return;
	}
	for (int i = 0; i < PAPI_COMPONENTS; i++) {
		if (mine && mine->running[i])
			stop(mine->running[i]);
		if (mine)
			free(mine->running[i]);
	}
	free(mine);
	mine = NULL;
	PAPI_unregister_thread();
}

static void child(void)
{
	mine = NULL; /* what it counted was the parent's thread; nothing may be done with its descriptors */
	forked = true;
}

void papi_running_init(void)
{
	pthread_key_create(&end_key, end_thread);
	pthread_atfork(NULL, NULL, child);
}

static __attribute__((noinline)) const char *begin(void)
{
	if (ends >= PTHREAD_DESTRUCTOR_ITERATIONS - 1)
		return "the thread has ended";
	if (forked && papi_after_fork() != PAPI_OK)
		return "PAPI does not work in this forked process";
	forked = false;
	int failed = PAPI_register_thread();
	mine = failed == PAPI_OK ? calloc(1, sizeof *mine) : NULL;
	if (mine)
		pthread_setspecific(end_key, mine);
	return mine ? NULL : failed == PAPI_OK ? "no memory" : PAPI_strerror(failed);
}

/* -- reading -------------------------------------------------------------------------------------------------- */

static const char *refresh(struct counting *me, int component, const int *number, int count)
{
	struct running *r = me->running[component];
	bool all = r != NULL;
	for (int i = 0; i < count && all; i++)
		all = papi_event[number[i]].component != component || me->place[number[i]];
	if (r && r->failed)
		return r->failed;
	if (!all)
		return grow(me, component, number, count); /* all that is new is zero, all else is in `before` */
	int failed = PAPI_read(r->set, r->now);
	return failed == PAPI_OK ? NULL : (r->failed = PAPI_strerror(failed));
}

static uint64_t counted(struct counting *me, int number)
{
	int component = papi_event[number].component, at = me->place[number] - 1;
	struct running *r = me->running[component];
	uint64_t value = r->before[at] + (uint64_t)r->now[at];
	if (!papi_multiplexed[component])
		return value;
	r->most[at] = value > r->most[at] ? value : r->most[at];
	return r->most[at];
}

const char *papi_running_read(const int *number, int count, uint64_t *value)
{
	uint32_t fresh = 0; /* a bit for each component that has been read */
	const char *failed = mine ? NULL : begin();
	for (int i = 0; i < count && !failed; i++) {
		int component = papi_event[number[i]].component;
		if (!(fresh >> component & 1))
			failed = refresh(mine, component, number, count);
		if (!failed)
			value[i] = counted(mine, number[i]);
		fresh |= 1u << component;
	}
	return failed;
}
