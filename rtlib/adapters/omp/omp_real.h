/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_real.h - finds the functions of libgomp and libomp that the interposed functions call, and
 * has the code that all interposed functions execute around such a call.
 *
 * In libsis.so the interposed functions come before those of libgomp, which are looked up
 * (omp_real.c). In a static program a name can be defined only once. There the linker gets
 * --wrap=NAME: a call of NAME calls the interposed function __wrap_NAME, and __real_NAME is
 * libgomp's function.
 */
#ifndef SIS_OMP_REAL_H
#define SIS_OMP_REAL_H

#include "blame/stacks/callers.h"
#include "adapters/omp/clauses.h"
#include "adapters/omp/omp_signature.h"

/* Prototypes. The interposed functions are exported. */
#pragma GCC visibility push(default)
#ifdef SIS_STATIC
#define SIS_OMP_ANY_TYPED(result, name, signature) \
	result name SIS_P_##signature __asm__("__wrap_" #name); \
	result sis__real_##name SIS_P_##signature __asm__("__real_" #name);
#define SIS_OMP_ANY_REAL(result, name, signature) \
	result sis__real_##name SIS_P_##signature __asm__(#name);
#include "adapters/omp/omp_entry_each.h"
#define SIS_OMP_REALLY(name) sis__real_##name
#else
#define SIS_OMP_ANY_TYPED(result, name, signature) result name SIS_P_##signature;
#include "adapters/omp/omp_entry_each.h"
#define SIS_OMP_REALLY(name) ((__typeof__(&name))sis__omp_real(SIS_OMP_##name))
#endif
#pragma GCC visibility pop

#pragma GCC visibility push(hidden)

#ifndef SIS_STATIC
enum sis_omp_entry {
#define SIS_OMP_ANY(name) SIS_OMP_##name,
#include "adapters/omp/omp_entry_each.h"
	SIS_OMP_ENTRIES
};

extern void *sis__omp_reals[SIS_OMP_ENTRIES]; /* filled one by one on first use */
void *sis__omp_resolve(enum sis_omp_entry entry);

static inline void *sis__omp_real(enum sis_omp_entry entry)
{
	/* Relaxed is enough: the address is in a library that was mapped before it was stored. */
	void *real = __atomic_load_n(&sis__omp_reals[entry], __ATOMIC_RELAXED);
	return SIS_LIKELY(real) ? real : sis__omp_resolve(entry);
}

/* libomp also has libgomp's functions. If the program calls those of libomp, and libomp's callbacks
 * report the events (ompt.c), the interposed functions of libgomp only forward. */
enum sis_omp_events { SIS_EVENTS_UNKNOWN, SIS_EVENTS_ENTRIES, SIS_EVENTS_CALLBACKS };
extern enum sis_omp_events sis__omp_events;
extern bool sis__ompt_on; /* libomp calls the callbacks (ompt.c) */
static inline bool sis__ompt_is_on(void)
{
	return __atomic_load_n(&sis__ompt_on, __ATOMIC_RELAXED);
}
bool sis__omp_find_events(void);

static inline bool sis__omp_has_callbacks(void)
{
	/* Relaxed is enough: all threads find the same value. */
	enum sis_omp_events events = __atomic_load_n(&sis__omp_events, __ATOMIC_RELAXED);
	if (SIS_LIKELY(events == SIS_EVENTS_ENTRIES))
		return false;
	return events == SIS_EVENTS_CALLBACKS || sis__omp_find_events();
}
/* Whether it is known that no callbacks report the events. */
static inline bool sis__omp_is_interposed(void)
{
	return __atomic_load_n(&sis__omp_events, __ATOMIC_RELAXED) == SIS_EVENTS_ENTRIES;
}
/* Whether the interposed functions of libgomp only forward: this thread is not measured, or
 * callbacks report the events. */
static inline bool sis__omp_forwards(void)
{
	return sis__local.off ||
	       __atomic_load_n(&sis__omp_events, __ATOMIC_RELAXED) == SIS_EVENTS_CALLBACKS;
}
#else
static inline bool sis__omp_has_callbacks(void) { return false; }
static inline bool sis__omp_is_interposed(void) { return true; }
static inline bool sis__omp_forwards(void) { return sis__local.off; }
#endif

/* A part of this thread's time that becomes a node; empty if the thread is not measured. */
struct sis_span {
	struct sis_thread *thread;
	struct sis_node *node;
};

static inline enum sis_region_type sis__current_type(const struct sis_thread *thread)
{
	return (enum sis_region_type)sis__region_fact(sis_node_region(thread->pub.current))->type;
}

/* Begins a node of region `wait` at `from` (0: now). If the current node is of type `same`, it is
 * the node of the construct or call in the source. Then no node is begun, because the whole time of
 * the current node is the wait. A thread that asks for iterations (RT_SCHED) has finished its
 * private copies. If a thread creates a task while it makes private copies, RT_TASKCRE is part of
 * RT_PRIVATE. */
static inline struct sis_span sis__span_open_at(uint32_t wait, enum sis_region_type same,
						uint64_t from)
{
	struct sis_span span = { sis__local.off ? NULL : sis__thread(), NULL };
	if (span.thread && wait == RT_SCHED)
		sis__privates_over(span.thread);
	if (span.thread && wait == RT_TASKCRE &&
	    sis_node_region(span.thread->pub.current) == RT_PRIVATE)
		return span;
	if (span.thread && (same == CR_NONE || sis__current_type(span.thread) != same))
		span.node = sis__begin(span.thread, sis__caller_region(wait),
				       from ? from : sis__ticks());
	else if (span.thread)
		sis__time_wait(span.thread, from);
	return span;
}
static inline struct sis_span sis__span_open(uint32_t wait, enum sis_region_type same)
{
	return sis__span_open_at(wait, same, 0);
}
/* Like sis__span_open_at, but for a function of libgomp: the span is empty if callbacks report the
 * events. */
static inline struct sis_span sis__span_begin_at(uint32_t wait, enum sis_region_type same,
						 uint64_t from)
{
	return SIS_UNLIKELY(sis__omp_has_callbacks()) ? (struct sis_span){ NULL, NULL }
						      : sis__span_open_at(wait, same, from);
}
static inline struct sis_span sis__span_begin(uint32_t wait, enum sis_region_type same)
{
	return sis__span_begin_at(wait, same, 0);
}
static inline void sis__span_end(struct sis_span span)
{
	if (span.node)
		sis__end(span.thread, span.node, sis__ticks());
}

/* The body of a function whose whole time is one wait. The body forwards the call, and `begin`
 * begins a span around the call. While this thread is not measured there is no span. */
#define SIS_OMP_TIMED_BY(begin, result, name, signature, wait, same) \
	result name SIS_P_##signature \
	{ \
		if (sis__local.off) \
			return SIS_OMP_REALLY(name) SIS_A_##signature; \
		struct sis_span span = begin(wait, same); \
		result value = SIS_OMP_REALLY(name) SIS_A_##signature; \
		sis__span_end(span); \
		return value; \
	}
#define SIS_OMP_QUIET_BY(begin, called, name, signature, wait, same) \
	void called SIS_P_##signature \
	{ \
		if (sis__local.off) { \
			SIS_OMP_REALLY(name) SIS_A_##signature; \
			return; \
		} \
		struct sis_span span = begin(wait, same); \
		SIS_OMP_REALLY(name) SIS_A_##signature; \
		sis__span_end(span); \
	}

#pragma GCC visibility pop
#endif
