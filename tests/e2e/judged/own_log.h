/* own_log.h - a program's own log of what its threads did, for replay.mjs. It knows nothing of SIS.
 *
 * own_end() writes it to $OWN_LOG-RANK.log. Times are nanoseconds of CLOCK_MONOTONIC, which all
 * processes of a machine share. `unit SLOT` begins a thread. Its lines are TYPE RULE NAME A B BEGIN
 * END CPU, where A and B number the operations of that name:
 *
 *     work, io     it computed in that function, with CPU of a processor; io may sleep as well
 *     lack         part of work in which it was not on a processor, or not all the time
 *     wait         RULE: all (until all have come), until (someone releases it), lock (someone
 *                  holds it), turn (someone releases that name next)
 *     after, leave a wait for all whose begin, or whose end, the program cannot log
 *     release      it let others go on that wait for this
 *     hold         it had the lock
 *     begin        it began this task
 *     life         the thread was in a team, or existed
 *
 * Names that begin with `mpi` are the same operations in all processes. Records nest as calls do.
 */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#define own_number() omp_get_thread_num()
#else
#define own_number() 0
#endif

struct own_record {
	const char *type, *name, *rule;
	long a, b, begin, end, cpu;
};
enum { OWN_RECORDS = 20000 };
struct own_thread {
	struct own_thread *next;
	long slot, count, depth, open[16];
	struct own_record record[OWN_RECORDS];
};
static struct own_thread *own_threads;
static __thread struct own_thread *own_me;
static long own_rank, own_started;

#define OWN_INLINE static inline __attribute__((always_inline, unused))
OWN_INLINE long own_clock(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}
#define own_now() own_clock(CLOCK_MONOTONIC)
#define own_cpu() own_clock(CLOCK_THREAD_CPUTIME_ID)

/* own_unit: this thread is that slot of its process from now on */
OWN_INLINE void own_unit(long slot)
{
	if (own_me && own_me->slot == slot)
		return;
	struct own_thread *t = calloc(1, sizeof(*t));
	t->slot = slot;
	t->next = __atomic_load_n(&own_threads, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&own_threads, &t->next, t, 0, 5, 0))
		continue;
	own_me = t;
}

OWN_INLINE struct own_record *own_add(const char *type, const char *name, long a, long b)
{
	if (!own_me)
		own_unit(own_number());
	own_me->count < OWN_RECORDS ? (void)0 : abort();
	struct own_record *r = &own_me->record[own_me->count++];
	*r = (struct own_record){ type, name, "-", a, b, own_now(), 0, 0 };
	r->end = r->begin;
	return r;
}

OWN_INLINE void own_push(const char *type, const char *rule, const char *name, long a, long b)
{
	struct own_record *r = own_add(type, name, a, b);
	r->rule = rule;
	r->end = 0; // open
	r->cpu = -own_cpu();
	own_me->open[own_me->depth++] = r - own_me->record;
}

OWN_INLINE void own_pop(void)
{
	struct own_record *r = &own_me->record[own_me->open[--own_me->depth]];
	r->cpu += own_cpu();
	r->end = own_now();
}

/* own_burn: uses a processor for that time, and notes when it has none */
OWN_INLINE void own_burn(double seconds)
{
	static volatile double sink;
	long cpu = own_cpu(), end = cpu + (long)(seconds * 1e9), wall = own_now();
	while (cpu < end) {
		double x = 1;
		for (int i = 0; i < 8000; i++)
			x = x * 0.999 + 0.001 * i;
		sink = x;
		long before = wall, used = -cpu;
		wall = own_now();
		cpu = own_cpu();
		used += cpu;
		if (wall - before - used <= 300000)
			continue;
		struct own_record *r = own_add("lack", "-", 0, 0);
		r->begin = before;
		r->cpu = used;
	}
}

/* OWN_BEGIN or OWN_IO, OWN_END: work of the function that has them; compute: that much of it */
#define OWN_BEGIN() own_push("work", "-", __func__, 0, 0)
#define OWN_IO() own_push("io", "-", __func__, 0, 0)
#define OWN_END() own_pop()
#define compute(seconds) (OWN_BEGIN(), own_burn(seconds), OWN_END())
#define own_all(kind, a, b) own_push("wait", "all", kind, a, b)
#define own_until(kind, a, b) own_push("wait", "until", kind, a, b)
#define own_lock(kind, a, b) own_push("wait", "lock", kind, a, b)
#define own_turn(kind, a, b) own_push("wait", "turn", kind, a, b)
#define own_hold(kind, a, b) own_push("hold", "-", kind, a, b)
#define own_done() own_pop()
#define own_release(kind, a, b) ((void)own_add("release", kind, a, b))
#define own_task(a, b) ((void)own_add("begin", "task", a, b))
/* after an implicit barrier; at the begin and at the end of a parallel region's block */
#define own_after(kind, a, b) (own_add("after", kind, a, b)->rule = "all")
#define own_live() own_push("life", "-", "-", 0, 0)
#define own_leave(a) (own_add("leave", "team", a, 0)->rule = "all", own_pop())

#define own_start(rank) (own_rank = (rank), own_unit(0), own_started = own_now())
OWN_INLINE void own_end(void)
{
	long ended = own_now();
	char name[4096];
	snprintf(name, sizeof(name), "%s-%ld.log", getenv("OWN_LOG"), own_rank);
	FILE *f = fopen(name, "w");
	fprintf(f, "start %ld %ld\nend %ld %ld\n", own_rank, own_started, own_rank, ended);
	for (struct own_thread *t = own_threads; t; t = t->next) {
		fprintf(f, "unit %ld\n", t->slot);
		for (struct own_record *r = t->record; r < t->record + t->count; r++)
			fprintf(f, "%s %s %s %ld %ld %ld %ld %ld\n", r->type, r->rule, r->name,
				r->a, r->b, r->begin, r->end ? r->end : ended, r->cpu);
	}
	fclose(f);
}
