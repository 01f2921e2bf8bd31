/* SPDX-License-Identifier: BSD-3-Clause */
/* pt_real.h - finds libc's functions that the interposed functions call, and begins and ends waits
 * in them. */
#ifndef SIS_PT_REAL_H
#define SIS_PT_REAL_H

#include "base/state.h"
#include "measure/wait_causes/culprit.h"

#include <dlfcn.h>
#include <errno.h>

/* real_NAME() returns libc's function. Signal handlers may call some of these functions, so a
 * constructor calls dlsym in advance. A call before the constructor calls dlsym itself. dlsym finds
 * the newest version of a function. */
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

#pragma GCC visibility push(hidden)

/* The calling thread; NULL: it is not measured, or has had no region yet. */
static inline struct sis_thread *sis__pt_thread(void)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	return SIS_UNLIKELY(thread == &sis__empty) ? sis__local.traced : thread;
}

/* The calling thread begins to wait. If the source has a region of type `same` around the call, it
 * is the region of the wait. Else the runtime begins a region of this type, unless the wait is part
 * of another wait, such as a call of MPI. Returns NULL if the wait is not measured. */
struct sis_thread *sis__pt_wait_begin(enum sis_region_type same);
/* Ends the wait in the thread's current node. */
void sis__pt_wait_end(struct sis_thread *thread, enum sis_region_type same);

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
		.thread = sis__pt_wait_begin(same), .object = object, .same = same
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
		sis__pt_wait_end(rendezvous->thread, rendezvous->same);
	}
	errno = saved;
}

/* The program calls the function `syscall` for the system's futex, with these arguments. */
long sis__pt_futex(const long *with);

#pragma GCC visibility pop
#endif
