/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_signature.h - the parameter lists of functions of libgomp and libomp, each as
 * SIS_P_<SIGNATURE> (parameters with their types) and SIS_A_<SIGNATURE> (arguments to pass on).
 * Only the files that expand omp_entry.def include it.
 */
#ifndef SIS_OMP_SIGNATURE_H
#define SIS_OMP_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned long long sis_ull;

#define SIS_P_NOTHING (void)
#define SIS_A_NOTHING ()
#define SIS_P_NAME (void **name)
#define SIS_A_NAME (name)
#define SIS_P_LOCK (void *lock)
#define SIS_A_LOCK (lock)
#define SIS_P_DEPEND (void **depend)
#define SIS_A_DEPEND (depend)
#define SIS_P_POINTER (void *pointer)
#define SIS_A_POINTER (pointer)
#define SIS_P_COUNT (unsigned count)
#define SIS_A_COUNT (count)
#define SIS_P_SECTIONS (unsigned count, uintptr_t *reductions, void **mem)
#define SIS_A_SECTIONS (count, reductions, mem)
#define SIS_P_CANCEL (int which, bool do_cancel)
#define SIS_A_CANCEL (which, do_cancel)
#define SIS_P_CANCELLATION (int which)
#define SIS_A_CANCELLATION (which)
#define SIS_P_VARIADIC (long first, ...)
#define SIS_P_VARIADIC_ULL (sis_ull first, ...)
#define SIS_P_PLACE (long *at)
#define SIS_P_PLACE_ULL (sis_ull *at)

/* loops over long */
#define SIS_P_LOOP (long start, long end, long step, long chunk, long *first, long *last)
#define SIS_A_LOOP (start, end, step, chunk, first, last)
#define SIS_P_LOOP_RUNTIME (long start, long end, long step, long *first, long *last)
#define SIS_A_LOOP_RUNTIME (start, end, step, first, last)
#define SIS_P_LOOP_REDUCTION                                                               \
	(long start, long end, long step, long sched, long chunk, long *first, long *last, \
	 uintptr_t *reductions, void **mem)
#define SIS_A_LOOP_REDUCTION (start, end, step, sched, chunk, first, last, reductions, mem)
#define SIS_P_NEXT (long *first, long *last)
#define SIS_A_NEXT (first, last)
#define SIS_P_DOACROSS (unsigned loops, long *counts, long chunk, long *first, long *last)
#define SIS_A_DOACROSS (loops, counts, chunk, first, last)
#define SIS_P_DOACROSS_RUNTIME (unsigned loops, long *counts, long *first, long *last)
#define SIS_A_DOACROSS_RUNTIME (loops, counts, first, last)
#define SIS_P_DOACROSS_REDUCTION                                                        \
	(unsigned loops, long *counts, long sched, long chunk, long *first, long *last, \
	 uintptr_t *reductions, void **mem)
#define SIS_A_DOACROSS_REDUCTION (loops, counts, sched, chunk, first, last, reductions, mem)

/* loops over unsigned long long */
#define SIS_P_ULL \
	(bool up, sis_ull start, sis_ull end, sis_ull step, sis_ull chunk, sis_ull *first, \
	 sis_ull *last)
#define SIS_A_ULL (up, start, end, step, chunk, first, last)
#define SIS_P_ULL_RUNTIME \
	(bool up, sis_ull start, sis_ull end, sis_ull step, sis_ull *first, sis_ull *last)
#define SIS_A_ULL_RUNTIME (up, start, end, step, first, last)
#define SIS_P_ULL_REDUCTION \
	(bool up, sis_ull start, sis_ull end, sis_ull step, long sched, sis_ull chunk, \
	 sis_ull *first, sis_ull *last, uintptr_t *reductions, void **mem)
#define SIS_A_ULL_REDUCTION (up, start, end, step, sched, chunk, first, last, reductions, mem)
#define SIS_P_ULL_NEXT (sis_ull *first, sis_ull *last)
#define SIS_A_ULL_NEXT (first, last)
#define SIS_P_ULL_DOACROSS \
	(unsigned loops, sis_ull *counts, sis_ull chunk, sis_ull *first, sis_ull *last)
#define SIS_A_ULL_DOACROSS (loops, counts, chunk, first, last)
#define SIS_P_ULL_DOACROSS_RUNTIME (unsigned loops, sis_ull *counts, sis_ull *first, sis_ull *last)
#define SIS_A_ULL_DOACROSS_RUNTIME (loops, counts, first, last)
#define SIS_P_ULL_DOACROSS_REDUCTION \
	(unsigned loops, sis_ull *counts, long sched, sis_ull chunk, sis_ull *first, \
	 sis_ull *last, uintptr_t *reductions, void **mem)
#define SIS_A_ULL_DOACROSS_REDUCTION (loops, counts, sched, chunk, first, last, reductions, mem)

/* teams: fn is the forked function, data its data */
#define SIS_P_PARALLEL (void (*fn)(void *), void *data, unsigned threads, unsigned flags)
#define SIS_A_PARALLEL (fn, data, threads, flags)
#define SIS_P_PARALLEL_LOOP                                                                 \
	(void (*fn)(void *), void *data, unsigned threads, long start, long end, long step, \
	 long chunk, unsigned flags)
#define SIS_A_PARALLEL_LOOP (fn, data, threads, start, end, step, chunk, flags)
#define SIS_P_PARALLEL_LOOP_RUNTIME                                                         \
	(void (*fn)(void *), void *data, unsigned threads, long start, long end, long step, \
	 unsigned flags)
#define SIS_A_PARALLEL_LOOP_RUNTIME (fn, data, threads, start, end, step, flags)
#define SIS_P_PARALLEL_SECTIONS \
	(void (*fn)(void *), void *data, unsigned threads, unsigned count, unsigned flags)
#define SIS_A_PARALLEL_SECTIONS (fn, data, threads, count, flags)

/* tasks */
#define SIS_P_TASK \
	(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align, \
	 bool deferred, unsigned flags, void **depend, int priority, void *detach)
#define SIS_A_TASK (fn, data, copy, size, align, deferred, flags, depend, priority, detach)
#define SIS_P_TASKLOOP \
	(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align, \
	 unsigned flags, unsigned long tasks, int priority, long start, long end, long step)
#define SIS_P_TASKLOOP_ULL \
	(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align, \
	 unsigned flags, unsigned long tasks, int priority, sis_ull start, sis_ull end, \
	 sis_ull step)
#define SIS_A_TASKLOOP (fn, data, copy, size, align, flags, tasks, priority, start, end, step)
#define SIS_A_TASKLOOP_ULL SIS_A_TASKLOOP

/* libomp: `at` is the place in the source, `thread` is libomp's number of the thread, and _4 or _8
 * is the size of a loop's variable in bytes */
#define SIS_P_KMP_STATIC_4                                                             \
	(void *at, int thread, int sched, int *is_last, int32_t *first, int32_t *last, \
	 int32_t *stride, int32_t step, int32_t chunk)
#define SIS_P_KMP_STATIC_8                                                             \
	(void *at, int thread, int sched, int *is_last, int64_t *first, int64_t *last, \
	 int64_t *stride, int64_t step, int64_t chunk)
#define SIS_A_KMP_STATIC (at, thread, sched, is_last, first, last, stride, step, chunk)
#define SIS_A_KMP_STATIC_4 SIS_A_KMP_STATIC
#define SIS_A_KMP_STATIC_8 SIS_A_KMP_STATIC
#define SIS_P_KMP_LOOP_4 \
	(void *at, int thread, int sched, int32_t start, int32_t end, int32_t step, int32_t chunk)
#define SIS_P_KMP_LOOP_8 \
	(void *at, int thread, int sched, int64_t start, int64_t end, int64_t step, int64_t chunk)
#define SIS_A_KMP_LOOP (at, thread, sched, start, end, step, chunk)
#define SIS_A_KMP_LOOP_4 SIS_A_KMP_LOOP
#define SIS_A_KMP_LOOP_8 SIS_A_KMP_LOOP
#define SIS_P_KMP_NEXT_4 \
	(void *at, int thread, int *is_last, int32_t *first, int32_t *last, int32_t *stride)
#define SIS_P_KMP_NEXT_8 \
	(void *at, int thread, int *is_last, int64_t *first, int64_t *last, int64_t *stride)
#define SIS_A_KMP_NEXT (at, thread, is_last, first, last, stride)
#define SIS_A_KMP_NEXT_4 SIS_A_KMP_NEXT
#define SIS_A_KMP_NEXT_8 SIS_A_KMP_NEXT
#define SIS_P_KMP_REDUCE                                               \
	(void *at, int thread, int count, size_t size, void *parts, \
	 void (*combine)(void *, void *), void *lock)
#define SIS_A_KMP_REDUCE (at, thread, count, size, parts, combine, lock)
#define SIS_P_KMP_END_REDUCE (void *at, int thread, void *lock)
#define SIS_A_KMP_END_REDUCE (at, thread, lock)
#define SIS_P_KMP_DOACROSS (void *at, int thread, int loops, const void *bounds)
#define SIS_A_KMP_DOACROSS (at, thread, loops, bounds)
#define SIS_P_KMP_ITERATION (void *at, int thread, const int64_t *iteration)
#define SIS_A_KMP_ITERATION (at, thread, iteration)
#define SIS_P_KMP_ALLOC (void *at, int thread, int flags, size_t size, size_t shared_size, void *fn)
#define SIS_A_KMP_ALLOC (at, thread, flags, size, shared_size, fn)
#define SIS_P_KMP_TASK (void *at, int thread, void *task)
#define SIS_A_KMP_TASK (at, thread, task)
#define SIS_P_KMP_TASK_DEPEND \
	(void *at, int thread, void *task, int count, void *depend, int more_count, void *more)
#define SIS_A_KMP_TASK_DEPEND (at, thread, task, count, depend, more_count, more)
#define SIS_P_KMP_DEPEND (void *at, int thread, int count, void *depend, int more_count, void *more)
#define SIS_A_KMP_DEPEND (at, thread, count, depend, more_count, more)
#define SIS_P_KMP_DEPEND_51 \
	(void *at, int thread, int count, void *depend, int more_count, void *more, int no_wait)
#define SIS_A_KMP_DEPEND_51 (at, thread, count, depend, more_count, more, no_wait)
#define SIS_P_KMP_TASKLOOP \
	(void *at, int thread, void *task, int condition, uint64_t *first, uint64_t *last, \
	 int64_t step, int no_group, int sched, uint64_t grain, void *copy)
#define SIS_A_KMP_TASKLOOP \
	(at, thread, task, condition, first, last, step, no_group, sched, grain, copy)
#define SIS_P_KMP_TASKLOOP_5 \
	(void *at, int thread, void *task, int condition, uint64_t *first, uint64_t *last, \
	 int64_t step, int no_group, int sched, uint64_t grain, int strict, void *copy)
#define SIS_A_KMP_TASKLOOP_5 \
	(at, thread, task, condition, first, last, step, no_group, sched, grain, strict, copy)
#define SIS_P_KMP_PLACE (void *at, int thread)
#define SIS_A_KMP_PLACE (at, thread)
#define SIS_P_KMP_WHICH (void *at, int thread, int which)
#define SIS_A_KMP_WHICH (at, thread, which)
#define SIS_P_KMP_COPY \
	(void *at, int thread, size_t size, void *data, void (*copy)(void *, void *), int mine)
#define SIS_A_KMP_COPY (at, thread, size, data, copy, mine)

#endif
