/* pt_real.h - libc's own functions behind the runtime's of the same names, and how a call of one knows whether it stands
 * in a region of the source, which is the wait. */
#ifndef SIS_PT_REAL_H
#define SIS_PT_REAL_H

#include "culprits/culprit.h"

#include <dlfcn.h>

/* Of those with older versions for other structures, the newest. Looked for when the library is loaded, since some may be called
 * by handlers of signals; who calls before that finds it then. */
#define SIS_PT_REAL(name) \
	static __typeof__(&name) real_##name(void) \
	{ \
		static __typeof__(&name) found; \
		__typeof__(&name) real = __atomic_load_n(&found, __ATOMIC_RELAXED); /* all store the same */ \
		if (SIS_UNLIKELY(!real)) { \
			real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
			__atomic_store_n(&found, real, __ATOMIC_RELAXED); \
		} \
		return real; \
	} \
	static __attribute__((__constructor__)) void find_##name(void) { real_##name(); }

/* The thread, if the current node is a region of type `same`: a call of the source, whose wait this is; else NULL. */
static inline struct sis_thread *sis__pt_waiter(enum sis_region_type same)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	if (SIS_UNLIKELY(thread == &sis__empty))
		thread = sis__local.traced;
	bool here = thread && sis__region_fact(thread->pub.current->region)->type == same;
	return here ? thread : NULL;
}

#endif
