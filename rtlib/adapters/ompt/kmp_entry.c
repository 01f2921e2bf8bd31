/* SPDX-License-Identifier: BSD-3-Clause */
/* kmp_entry.c - libomp's functions that callbacks report incompletely or not at all. Called by the
 * program. Each calls libomp's function of the same name, mostly with a node of a built-in region
 * around the call. Expanded from kmp_entry.def.
 */
#include "adapters/ompt/ompt.h"

static struct sis_span span_begin(uint32_t wait, enum sis_region_type same)
{
	return sis__ompt_is_on() ? sis__span_open(wait, same) : (struct sis_span){ NULL, NULL };
}

#define SIS_KMP_TIMED(result, name, signature, wait, same) \
	SIS_OMP_TIMED_BY(span_begin, result, name, signature, wait, same)
#define SIS_KMP_QUIET(name, signature, wait, same) \
	SIS_OMP_QUIET_BY(span_begin, name, name, signature, wait, same)
#define SIS_KMP_OWN(result, name, signature)
#include "adapters/omp/kmp_entry.def"

/* -- calls for which libomp's versions have different callbacks (ompt_wait.c) ------------------ */

#define TEST(name) \
	int name SIS_P_LOCK \
	{ \
		uint32_t before = sis__ompt_call_is(RT_LOCK); \
		int got = SIS_OMP_REALLY(name) SIS_A_LOCK; \
		sis__ompt_call_is(before); \
		if (got && sis__local.own) \
			sis__lock_hold(sis__local.own, lock); \
		return got; \
	}
TEST(omp_test_lock)
TEST(omp_test_nest_lock)

void __kmpc_barrier SIS_P_KMP_PLACE
{
	uint32_t before = sis__ompt_call_is(RT_IBAR);
	SIS_OMP_REALLY(__kmpc_barrier) SIS_A_KMP_PLACE;
	sis__ompt_call_is(before);
}

int __kmpc_cancel_barrier SIS_P_KMP_PLACE
{
	uint32_t before = sis__ompt_call_is(RT_IBAR);
	int cancelled = SIS_OMP_REALLY(__kmpc_cancel_barrier) SIS_A_KMP_PLACE;
	sis__ompt_call_is(before);
	return cancelled;
}

/* -- reductions: the result of the call says whether this thread combines
 * ------------------------------------ */

#define REDUCE(name) \
	int name SIS_P_KMP_REDUCE \
	{ \
		int how = SIS_OMP_REALLY(name) SIS_A_KMP_REDUCE; \
		if (how && sis__ompt_is_on()) \
			sis__combine_begin(); \
		return how; \
	}
REDUCE(__kmpc_reduce)
REDUCE(__kmpc_reduce_nowait)

#define END_REDUCE(name) \
	void name SIS_P_KMP_END_REDUCE \
	{ \
		sis__combine_end(); \
		SIS_OMP_REALLY(name) SIS_A_KMP_END_REDUCE; \
	}
END_REDUCE(__kmpc_end_reduce)
END_REDUCE(__kmpc_end_reduce_nowait)

/* -- doacross loops: omp_doacross.c ------------------------------------------------------------ */

void __kmpc_doacross_init SIS_P_KMP_DOACROSS
{
	sis__nest_seen((unsigned)loops);
	struct sis_span span = span_begin(RT_SCHED, CR_NONE);
	SIS_OMP_REALLY(__kmpc_doacross_init) SIS_A_KMP_DOACROSS;
	sis__span_end(span);
}

void __kmpc_doacross_wait SIS_P_KMP_ITERATION
{
	struct sis_doacross_wait sink = sis__doacross_wait_begin(span_begin(RT_ORDERED, CR_NONE),
								 sis__iteration(iteration));
	SIS_OMP_REALLY(__kmpc_doacross_wait) SIS_A_KMP_ITERATION;
	sis__doacross_wait_end(&sink);
}

void __kmpc_doacross_post SIS_P_KMP_ITERATION
{
	sis__doacross_post(sis__iteration(iteration));
	SIS_OMP_REALLY(__kmpc_doacross_post) SIS_A_KMP_ITERATION;
}

/* libomp waits at two barriers in this function, and reports them as barriers. */
void __kmpc_copyprivate SIS_P_KMP_COPY
{
	uint32_t before = sis__ompt_call_is(RT_COPYPRIV);
	SIS_OMP_REALLY(__kmpc_copyprivate) SIS_A_KMP_COPY;
	sis__ompt_call_is(before);
}
