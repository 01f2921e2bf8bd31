/* SPDX-License-Identifier: BSD-3-Clause */
/* pt_real.h - libc's functions behind the interposed ones, and the region of the source that a call
 * is in, which is the wait.
 */
#ifndef SIS_PT_REAL_H
#define SIS_PT_REAL_H

#include "base/state.h"
#include "wait_causes/culprit.h"
#include "core/drg.h"
#include "core/record_log.h"

#include <dlfcn.h>
#include <errno.h>

/* dlsym finds the newest version of a function. A constructor calls it, since signal handlers may
 * call some of these functions; a call before the constructor looks the function up itself. */
#define SIS_PT_REAL(name) \
	static __typeof__(&name) real_##name(void) \
	{ \
		static __typeof__(&name) found; \
		__typeof__(&name) real = __atomic_load_n( \
			&found, __ATOMIC_RELAXED); /* all store the same */ \
		if (SIS_UNLIKELY(!real)) { \
			real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
			__atomic_store_n(&found, real, __ATOMIC_RELAXED); \
		} \
		return real; \
	} \
	static __attribute__((__constructor__)) void find_##name(void) { real_##name(); }

/* NULL: the thread is not measured, or not yet. */
static inline struct sis_thread *sis__pt_thread(void)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	return SIS_UNLIKELY(thread == &sis__empty) ? sis__local.traced : thread;
}

/* The thread if the current node is a region of type `same`: then the source's region around the
 * call is the wait, which is timed from now on if it was not before. Else NULL. */
static inline struct sis_thread *sis__pt_waiter(enum sis_region_type same)
{
	struct sis_thread *thread = sis__pt_thread();
	bool here = thread && sis__region_fact(sis_node_region(thread->pub.current))->type == same;
	if (here)
		sis__time_wait(thread, 0);
	return here ? thread : NULL;
}

/* The thread's wait in its current node is over. Long waits, and joins, are rare enough for a
 * record each. By these the analysis knows which processing units worked while another one was
 * idle. */
static inline void sis__pt_waited(struct sis_thread *thread, enum sis_region_type same)
{
	struct sis_node *node = thread->pub.current;
	uint64_t now = sis__ticks(), least = same == CR_PTJOIN
						     ? sis__wait_short()
						     : sis__header()->ticks_per_second / 1000;
	int saved = errno;
	if (now > node->start && now - node->start >= least)
		sis__record_put(thread, &(struct sis_record){ .kind = SIS_RECORD_BLOCKED,
							      .enter = node->start,
							      .exit = now,
							      .node = node,
							      .peer = -1,
							      .tag = -1 });
	errno = saved;
}

/* A wait until another thread arrives at an object (rendezvous.c). */
struct sis_pt_rendezvous {
	struct sis_thread *thread; /* NULL: not measured */
	struct sis_node *node;
	const void *object;
	enum sis_region_type same;
};

static inline struct sis_pt_rendezvous sis__pt_rendezvous_begin(enum sis_region_type same,
								const void *object)
{
	struct sis_pt_rendezvous rendezvous = {
		.thread = sis__pt_waiter(same), .object = object, .same = same
	};
	if (rendezvous.thread) {
		rendezvous.node = rendezvous.thread->pub.current;
		sis__rendezvous_begin(rendezvous.node, object);
	}
	return rendezvous;
}

static inline void sis__pt_rendezvous_end(const struct sis_pt_rendezvous *rendezvous, bool came)
{
	int saved = errno;
	if (rendezvous->thread) {
		sis__rendezvous_end(rendezvous->thread, rendezvous->node, rendezvous->object, came);
		sis__pt_waited(rendezvous->thread, rendezvous->same);
	}
	errno = saved;
}

#endif
