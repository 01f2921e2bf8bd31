/* SPDX-License-Identifier: BSD-3-Clause */
/* ompt_taskloop.c - the tasks of libomp's taskloops: of which region their bodies are. The threads
 * that create them.
 *
 * Its idea: libomp makes the tasks of a taskloop as copies of a first one. If they are many, other
 * threads make some of them. After each copy libomp calls a function that the compiler may have
 * given (`copy`), and then reports the new task. So the runtime gives libomp a function of its own,
 * which finds the taskloop by the function that its tasks execute. `struct first` and `copy` are
 * part of the interface between compiler and libomp.
 * LIMIT: there is room for LOOPS taskloops. The tasks of further ones have the region RT_TASK.
 */
#include "base/lock.h"
#include "ompt/ompt.h"

enum { LOOPS = 4096, TRIES = 32 };

struct first { /* kmp_task_t, as far as it is needed */
	void *shared;
	const void *fn;
};
typedef void copy_function(void *to, void *from, int last);

struct loop { /* never changes once `fn` is set */
	const void *fn;      /* atomic: of its tasks; NULL: this place is free */
	copy_function *copy; /* the compiler's; may be NULL */
	uint32_t body;       /* region */
};
static struct loop loops[LOOPS];
static struct sis_lock loops_lock; /* held by a thread that adds one */

/* Its place, or a free one; NULL: there is neither. */
static struct loop *place_of(const void *fn)
{
	uint64_t hash = ((uintptr_t)fn >> 4) * SIS_HASH_MULTIPLIER >> 32;
	for (unsigned i = 0; i < TRIES; i++) {
		struct loop *place = &loops[(hash + i) % LOOPS];
		/* acquire: with the release in add_loop, for the other fields */
		const void *there = __atomic_load_n(&place->fn, __ATOMIC_ACQUIRE);
		if (!there || there == fn)
			return place;
	}
	return NULL;
}

static void add_loop(const void *fn, copy_function *copy, uint32_t body)
{
	if (!sis__lock(&loops_lock))
		return;
	struct loop *place = place_of(fn);
	if (place && !place->fn) {
		place->copy = copy;
		place->body = body;
		__atomic_store_n(&place->fn, fn, __ATOMIC_RELEASE);
	}
	sis__unlock(&loops_lock);
}

static const struct loop *find_loop(const void *fn)
{
	const struct loop *place = place_of(fn);
	return place && __atomic_load_n(&place->fn, __ATOMIC_RELAXED) == fn ? place : NULL;
}

static void copied(void *to, void *from, int last)
{
	const struct loop *loop = find_loop(((const struct first *)from)->fn);
	if (loop->copy)
		loop->copy(to, from, last);
	sis__ompt_copied(to, loop->body);
}

/* The function that libomp gets as `copy`. It is the compiler's own if the source has announced no
 * region for the tasks, if there is no room for the taskloop, or if another taskloop has the same
 * function `fn`: a linker may have merged two functions, or unloaded one. */
static void *copy_for(void *task, void *copy, uint32_t body)
{
	const void *fn = ((const struct first *)task)->fn;
	copy_function *given;
	*(void **)&given = copy;
	if (body == RT_TASK)
		return copy;
	const struct loop *loop = find_loop(fn);
	if (!loop) {
		add_loop(fn, given, body);
		loop = find_loop(fn);
	}
	return loop && loop->copy == given && loop->body == body ? (void *)copied : copy;
}

#define TASKLOOP(name, shape) \
	void name SIS_P_##shape \
	{ \
		struct sis_span span = { NULL, NULL }; \
		if (sis__ompt_is_on()) { \
			copy = copy_for(task, copy, sis__ompt_body_announced()); \
			span = sis__span_open(RT_TASKCRE, CR_OMPTASKLOOP); \
		} \
		SIS_OMP_REALLY(name) SIS_A_##shape; \
		sis__span_end(span); \
	}
TASKLOOP(__kmpc_taskloop, KMP_TASKLOOP)
TASKLOOP(__kmpc_taskloop_5, KMP_TASKLOOP_5)
