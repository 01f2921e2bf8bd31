/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_doacross.c - doacross loops: iterations that wait for other iterations. The functions here
 * are those of libgomp, called by the program; kmp_entry.c does the same for libomp.
 *
 * A thread that waits for an iteration computes the name of this iteration. The thread that
 * executes the iteration computes the same name when it posts the iteration. The name is the object
 * of their rendezvous (rendezvous.c), by which the two find each other. The name is a hash of the
 * iteration's indexes in the loops of the nest. If two iterations have the same hash by chance, the
 * culprit is wrong.
 */
#include "adapters/omp/omp_team.h"

/* A function that returns the name of an iteration; NULL: no doacross loop is known, or the thread
 * is in no team. */
#define NAME_OF(function, type) \
	static const void *function(const type *at) \
	{ \
		const struct sis_team *me = sis__team(); \
		if (!me || !me->nest) \
			return NULL; \
		uintptr_t name = (uintptr_t)me->fork; \
		for (unsigned i = 0; name && i < me->nest; i++) \
			name = (uintptr_t)sis_hash_mix(name ^ (uint64_t)at[i]); \
		return (const void *)name; \
	}
NAME_OF(name_of, long)
NAME_OF(name_of_ull, sis_ull)

const void *sis__iteration(const int64_t *at)
{
	return name_of_ull((const sis_ull *)at);
}

struct sis_doacross_wait sis__doacross_wait_begin(struct sis_span span, const void *iteration)
{
	struct sis_doacross_wait sink = { span, span.node ? iteration : NULL };
	if (sink.iteration)
		sis__rendezvous_begin(span.node, iteration);
	return sink;
}

void sis__doacross_wait_end(const struct sis_doacross_wait *sink)
{
	if (sink->iteration)
		sis__rendezvous_end(sink->span.thread, sink->span.node, sink->iteration, true);
	sis__span_end(sink->span);
}

void sis__nest_seen(unsigned loops)
{
	struct sis_team *me = sis__team();
	if (me)
		me->nest = loops;
}

/* -- libgomp --------------------------------------------------------------------------------------
 * The arguments of a wait are the iteration's index in each loop of the nest. The number of loops
 * is not an argument. So the runtime passes on a fixed number of arguments, and libgomp reads as
 * many of them as the nest has loops. After the first deep nest has begun, a larger number is
 * passed. LIMIT: a nest has at most NEST_MOST loops. */
#define NEST_FEW 8
#define NEST_MOST 128
static bool deep; /* set when a deep nest begins, and never cleared */

static void nest_begin(unsigned loops)
{
	if (SIS_UNLIKELY(loops > NEST_FEW))
		__atomic_store_n(&deep, true, __ATOMIC_RELAXED);
	sis__nest_seen(loops < NEST_MOST ? loops : NEST_MOST);
}

#define AT8(i) at[i], at[i + 1], at[i + 2], at[i + 3], at[i + 4], at[i + 5], at[i + 6], at[i + 7]
#define AT32(i) AT8(i), AT8(i + 8), AT8(i + 16), AT8(i + 24)
#define DOACROSS_WAIT(name, type, name_of) \
	void name(type first, ...) \
	{ \
		struct sis_span span = sis__span_begin(RT_ORDERED, CR_NONE); \
		bool few = !__atomic_load_n(&deep, __ATOMIC_RELAXED); \
		type at[NEST_MOST + 1]; \
		at[0] = first; \
		__builtin_va_list rest; \
		__builtin_va_start(rest, first); \
		for (int i = 1; i <= (few ? NEST_FEW : NEST_MOST); i++) \
			at[i] = __builtin_va_arg(rest, type); \
		__builtin_va_end(rest); \
		struct sis_doacross_wait sink = sis__doacross_wait_begin(span, name_of(at)); \
		if (few) \
			SIS_OMP_REALLY(name)(first, AT8(1)); \
		else \
			SIS_OMP_REALLY(name)(first, AT32(1), AT32(33), AT32(65), AT32(97)); \
		sis__doacross_wait_end(&sink); \
	}
DOACROSS_WAIT(GOMP_doacross_wait, long, name_of)
DOACROSS_WAIT(GOMP_doacross_ull_wait, sis_ull, name_of_ull)

#define DOACROSS_POST(name, type, name_of) \
	void name(type *at) \
	{ \
		sis__doacross_post(name_of(at)); \
		SIS_OMP_REALLY(name)(at); \
	}
DOACROSS_POST(GOMP_doacross_post, long, name_of)
DOACROSS_POST(GOMP_doacross_ull_post, sis_ull, name_of_ull)

#define SIS_OMP_DOACROSS(name, signature) \
	bool name SIS_P_##signature \
	{ \
		nest_begin(loops); \
		struct sis_span span = sis__span_begin(RT_SCHED, CR_NONE); \
		bool value = SIS_OMP_REALLY(name) SIS_A_##signature; \
		sis__span_end(span); \
		return value; \
	}
#define SIS_OMP_TIMED(result, name, signature, wait, same)
#define SIS_OMP_BARRIER(name)
#define SIS_OMP_BARRIER_CANCEL(name)
#define SIS_OMP_FORK(name, signature)
#define SIS_OMP_OWN(result, name, signature)
#define SIS_OMP_REAL(result, name, signature)
#include "adapters/omp/omp_entry.def"
