/* omp_entry.c - libgomp's functions whose whole time is one wait: scheduling, critical, ordered, doacross, locks,
 * cancellation. The program's threads call them; each forwards to the function
 * of its name in libgomp, with a node of the runtime's own region around it. Expanded from omp_entry.def.
 */
#include "omp/omp_real.h"

/* -- doacross loops ------------------------------------------------------------------------------------
 * A wait names one iteration of every loop of the nest, as variable arguments; how many, only libgomp knows.
 * It reads no more than there are, so a fixed number is passed on, a large one once a deep nest has been seen.
 * LIMIT: nests of more than NEST_MOST loops. */
#define NEST_FEW 8
#define NEST_MOST 128
static bool deep; /* only ever set: a thread's waits see at least its own nest's */

static void nest_seen(unsigned loops)
{
	if (SIS_UNLIKELY(loops > NEST_FEW))
		__atomic_store_n(&deep, true, __ATOMIC_RELAXED);
}

#define AT8(i) at[i], at[i + 1], at[i + 2], at[i + 3], at[i + 4], at[i + 5], at[i + 6], at[i + 7]
#define AT32(i) AT8(i), AT8(i + 8), AT8(i + 16), AT8(i + 24)
#define DOACROSS_WAIT(name, type) \
	void name(type first, ...) \
	{ \
		struct sis_span span = sis__span_begin(RT_ORDERED, CR_NONE); \
		bool few = !__atomic_load_n(&deep, __ATOMIC_RELAXED); \
		type at[NEST_MOST]; \
		__builtin_va_list rest; \
		__builtin_va_start(rest, first); \
		for (int i = 0; i < (few ? NEST_FEW : NEST_MOST); i++) \
			at[i] = __builtin_va_arg(rest, type); \
		__builtin_va_end(rest); \
		if (few) \
			SIS_OMP_REALLY(name)(first, AT8(0)); \
		else \
			SIS_OMP_REALLY(name)(first, AT32(0), AT32(32), AT32(64), AT32(96)); \
		sis__span_end(span); \
	}
DOACROSS_WAIT(GOMP_doacross_wait, long)
DOACROSS_WAIT(GOMP_doacross_ull_wait, sis_ull)

/* -- all that are alike ---------------------------------------------------------------------------------- */

#define SIS_OMP_TIMED(result, name, shape, wait, same) \
	SIS_OMP_TIMED_BY(sis__span_begin, result, name, shape, wait, same)
#define SIS_OMP_QUIET(name, shape, wait, same) SIS_OMP_QUIET_BY(sis__span_begin, name, shape, wait, same)
#define SIS_OMP_DOACROSS(name, shape) \
	bool name SIS_P_##shape \
	{ \
		nest_seen(loops); \
		struct sis_span span = sis__span_begin(RT_SCHED, CR_NONE); \
		bool value = SIS_OMP_REALLY(name) SIS_A_##shape; \
		sis__span_end(span); \
		return value; \
	}
#define SIS_OMP_BARRIER(name)
#define SIS_OMP_BARRIER_CANCEL(name)
#define SIS_OMP_FORK(name, shape)
#define SIS_OMP_OWN(result, name, shape)
#define SIS_OMP_REAL(result, name, shape)
#include "omp/omp_entry.def"
