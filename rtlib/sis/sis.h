/* SPDX-License-Identifier: BSD-3-Clause */
/* sis/sis.h - how a source controls SIS. With other compilers than sisc, all of these macros
 * compile to nothing, without warnings.
 *
 * Directives as macros. They are empty unless sisc itself reads the source (SIS__DIRECTIVES). The
 * pragma in the right column does the same:
 *
 *     SIS_CR(init begin)  ...  SIS_END        #pragma sis cr init begin  ...  #pragma sis end cr
 *     SIS_CR(CR_L, CR_S pmetric WTIME)        #pragma sis cr CR_L, CR_S pmetric WTIME
 *     SIS_CR(turn redistribute begin)         #pragma sis cr turn redistribute begin
 *     SIS_MEASURE(disable)                    #pragma sis measure disable
 *     SIS_MEASURE(budget(2%))                 #pragma sis measure budget(2%)
 *     SIS_TRACE(start)  ...  SIS_TRACE(stop)  #pragma sis trace start  ...  #pragma sis trace stop
 *
 * Regions and values by hand, in C and in C++, also in files that sisc itself does not instrument:
 *
 *     SIS_REGION(name);           a region from here to the end of the block, however it is left
 *     SIS_REGION_BEGIN(name);     a region from here to SIS_REGION_END(name) in the same thread,
 *                                 perhaps in another function. Regions that are still open inside
 *                                 end, too
 *     SIS_PARAMETER(name, n);     like SIS_REGION(name), but each value of the integer n is a
 *                                 region of its own, `name=n`; after 1000 values, `name=*`
 *     SIS_VALUE(name, x);         notes the number x. For each call path, the count, sum, minimum
 *                                 and maximum of these numbers are kept
 *     SIS_PAUSE();                until SIS_RESUME() nothing is measured in this thread and in the
 *                                 teams and tasks that it starts. Pauses nest
 *     SIS_FLUSH();                writes all data so far to the disk. Without this, the data is in
 *                                 the system's memory for a while
 *     SIS_TRACE_START();          until SIS_TRACE_STOP() all threads trace, if the run has
 *                                 SIS_TRACE=wait. With SIS_TRACE=1 they also trace from the start
 *                                 to the first stop. In other runs it does nothing. Does not nest
 *
 * A name is a C identifier. It means the same region or value in the whole program. Compilers other
 * than sisc do not evaluate n and x, so these should have no side effects. x is converted to
 * double. SIS_REGION and SIS_PARAMETER are declarations. In C++ no jump from outside the block may
 * lead to a place behind them. In C no jump may lead past their line.
 */
#ifndef SIS_SIS_H
#define SIS_SIS_H

#if defined __GNUC__
#pragma GCC system_header
#endif

#if defined SIS__DIRECTIVES
#define SIS__PRAGMA(...) _Pragma(#__VA_ARGS__)
#define SIS_CR(...) SIS__PRAGMA(sis cr __VA_ARGS__)
#define SIS_END SIS__PRAGMA(sis end cr)
#define SIS_MEASURE(what) SIS__PRAGMA(sis measure what)
#define SIS_TRACE(what) SIS__PRAGMA(sis trace what)
#else
#define SIS_CR(...)
#define SIS_END
#define SIS_MEASURE(what)
#define SIS_TRACE(what)
#endif

#if defined __SISC__
#include "probe.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sis_place { /* a place where the source begins or ends a region by hand */
	const char *name, *file, *function;
	unsigned line;
	const void *known; /* set by the runtime: the region or, for a parameter, its values */
};
struct sis_counted { /* a place where the source gives a value */
	const char *name;
	unsigned id; /* set by the runtime; 0: not known yet */
};

#pragma GCC visibility push(default)
/* Returns the region of the place. NULL: nothing is measured at this time. A place always has the
 * same region. */
const struct sis_region *sis_hand_region(struct sis_place *place);
/* Returns the region that ends at the place. NULL: the region was never begun. */
const struct sis_region *sis_hand_begun(struct sis_place *place);
const struct sis_region *sis_hand_parameter(struct sis_place *place, long long value);
void sis_hand_value(struct sis_counted *counted, double value);
void sis_hand_pause(void);
void sis_hand_resume(void);
void sis_hand_flush(void);
void sis_hand_trace_start(void);
void sis_hand_trace_stop(void);
#pragma GCC visibility pop

SIS__INLINE struct sis_region *sis__hand_enter(const struct sis_region *known)
{
	struct sis_region *region = (struct sis_region *)known; /* probes only read the region */
	if (!region || region->id == SIS_ID_OFF)
		return 0;
	sis__enter(0, region);
	return region;
}
SIS__INLINE struct sis_region *sis__hand_begin(struct sis_place *place)
{
	const void *known = __atomic_load_n(&place->known, __ATOMIC_ACQUIRE);
	return sis__hand_enter(known ? (const struct sis_region *)known : sis_hand_region(place));
}
SIS__INLINE void sis__hand_end(struct sis_place *place)
{
	const void *known = __atomic_load_n(&place->known, __ATOMIC_ACQUIRE);
	const struct sis_region *region = known ? (const struct sis_region *)known
						: sis_hand_begun(place);
	if (region)
		sis__leave_if_on((struct sis_region *)region);
}
SIS__INLINE struct sis_region *sis__hand_parameter(struct sis_place *place, long long value)
{
	return sis__hand_enter(sis_hand_parameter(place, value));
}

#define SIS__PLACE(name) { #name, __FILE__, __func__, __LINE__, 0 }
#define SIS__GUARD __attribute__((__cleanup__(sis__scope_end), __unused__)) struct sis_region
#define SIS_REGION(name) \
	static struct sis_place sis__place_##name = SIS__PLACE(name); \
	SIS__GUARD *sis__guard_##name = sis__hand_begin(&sis__place_##name)
#define SIS_PARAMETER(name, n) \
	static struct sis_place sis__place_##name = SIS__PLACE(name); \
	SIS__GUARD *sis__guard_##name = sis__hand_parameter(&sis__place_##name, (long long)(n))
#define SIS_REGION_BEGIN(name)                                         \
	(__extension__({                                               \
		static struct sis_place sis__place = SIS__PLACE(name); \
		(void)sis__hand_begin(&sis__place);                    \
	}))
#define SIS_REGION_END(name) (__extension__({ \
	static struct sis_place sis__place = SIS__PLACE(name); sis__hand_end(&sis__place); }))
#define SIS_VALUE(name, x)                                             \
	(__extension__({                                               \
		static struct sis_counted sis__counted = { #name, 0 }; \
		sis_hand_value(&sis__counted, (double)(x));            \
	}))
#define SIS_PAUSE() sis_hand_pause()
#define SIS_RESUME() sis_hand_resume()
#define SIS_FLUSH() sis_hand_flush()
#define SIS_TRACE_START() sis_hand_trace_start()
#define SIS_TRACE_STOP() sis_hand_trace_stop()

#ifdef __cplusplus
}
#endif
#else
#define SIS_REGION(name) struct sis__nothing
/* a declaration that uses n */
#define SIS_PARAMETER(name, n) enum { sis__parameter_##name = sizeof((long)(n)) }
#define SIS_REGION_BEGIN(name) ((void)0)
#define SIS_REGION_END(name) ((void)0)
#define SIS_VALUE(name, x) ((void)sizeof((double)(x)))
#define SIS_PAUSE() ((void)0)
#define SIS_RESUME() ((void)0)
#define SIS_FLUSH() ((void)0)
#define SIS_TRACE_START() ((void)0)
#define SIS_TRACE_STOP() ((void)0)
#endif

#endif
