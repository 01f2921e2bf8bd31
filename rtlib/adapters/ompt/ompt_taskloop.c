/* SPDX-License-Identifier: BSD-3-Clause */
/* ompt_taskloop.c - the regions of the tasks of libomp's taskloops. Called by the threads that
 * create the tasks.
 *
 * The idea: libomp makes the tasks of a taskloop as copies of a first one. If there are many tasks,
 * other threads make some of them. After each copy libomp calls a function that the compiler may
 * have given (`copy`), and then reports the new task. The runtime replaces `copy` by a function of
 * its own, which finds the taskloop by the function that its tasks execute. `struct first` and
 * `copy` are part of the interface between compiler and libomp.
 * LIMIT: at most LOOPS taskloops are noted. The tasks of others have the region RT_TASK.
 */
#include "base/lock.h"
#include "adapters/ompt/ompt.h"

enum { LOOPS = 4096, TRIES = 32 };

struct first { /* the first members of kmp_task_t */
	void *shared;
	const void *fn;
};
typedef void copy_function(void *to, void *from, int last);

struct loop { /* never changes once `fn` is set */
	const void *fn;      /* function of its tasks; NULL: this entry is free; atomic */
	copy_function *copy; /* the compiler's function; may be NULL */
	uint32_t body;       /* region of the tasks */
};
static struct loop loops[LOOPS];
static struct sis_lock loops_lock; /* held by a thread that adds a taskloop */

/* The entry of the taskloop, or a free entry; NULL: there is neither. */
static struct loop *entry_of(const void *fn)
{
	uint64_t hash = ((uintptr_t)fn >> 4) * SIS_HASH_MULTIPLIER >> 32;
	for (unsigned i = 0; i < TRIES; i++) {
		struct loop *entry = &loops[(hash + i) % LOOPS];
		/* acquire, for the other fields; pairs with the release in add_loop */
		const void *there = __atomic_load_n(&entry->fn, __ATOMIC_ACQUIRE);
		if (!there || there == fn)
			return entry;
	}
	return NULL;
}

static void add_loop(const void *fn, copy_function *copy, uint32_t body)
{
	if (!sis__lock(&loops_lock))
		return;
	struct loop *entry = entry_of(fn);
	if (entry && !entry->fn) {
		entry->copy = copy;
		entry->body = body;
		__atomic_store_n(&entry->fn, fn, __ATOMIC_RELEASE);
	}
	sis__unlock(&loops_lock);
}

static const struct loop *find_loop(const void *fn)
{
	const struct loop *entry = entry_of(fn);
	return entry && __atomic_load_n(&entry->fn, __ATOMIC_RELAXED) == fn ? entry : NULL;
}

static void copied(void *to, void *from, int last)
{
	const struct loop *loop = find_loop(((const struct first *)from)->fn);
	if (loop->copy)
		loop->copy(to, from, last);
	sis__ompt_copied(to, loop->body);
}

/* The function that libomp gets as `copy`. In three cases this is the compiler's own function: the
 * source has announced no region for the tasks, there is no room for the taskloop, or another
 * taskloop has the same function `fn`. (A linker may have merged two functions, or one of them was
 * unloaded.) */
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
