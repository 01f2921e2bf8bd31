/* SPDX-License-Identifier: BSD-3-Clause */
/* own_thread.c - threads of the runtime itself: the sampler of nodes, the sampler of sensors, the
 * writer of the trace, and the thread that reads rules. Any thread starts them.
 *
 * The program does not notice these threads: each is detached, blocks all signals, fills no slot,
 * and its probes do nothing. A thread that needs nothing of libc is a bare thread (bare_thread.h).
 * The others are made by libc's own pthread_create: the program may have another pthread_create,
 * which counts or changes threads, in its executable, a library or a preloaded object.
 */
#include "base/bare_thread.h"
#include "base/futex.h"
#include "base/modules.h"
#include "base/own_thread.h"
#include "base/signal_mask.h"
#include "base/state.h"
#include "base/thread_variables.h"

#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STACK = 128 << 10, OWN = 64, WAITS = 1000, WAIT_NS = 100000 };

static uint32_t own[OWN]; /* numbers of the threads that began last */
static uint32_t own_count;

int sis__own_thread_start(void *(*run)(void *), const cpu_set_t *processors)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	if (sis__is_confined())
		return EPERM;
	if (!sis__thread_is_allowed())
		return EAGAIN;
	int failed = pthread_attr_init(&attributes);
	if (failed)
		return failed;
	/* the stack's memory also holds the program's thread-local variables */
	pthread_attr_setstacksize(&attributes, STACK + sis__variables_room());
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (processors)
		pthread_attr_setaffinity_np(&attributes, sizeof *processors, processors);
	sigfillset(&all);
	sis__signal_mask(SIG_SETMASK, &all, &before);
	sis__pthread_create *of_libc = sis__libc_pthread_create();
	pthread_t thread;
	failed = of_libc ? of_libc(&thread, &attributes, run, NULL) : ENOSYS;
	sis__signal_mask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return failed;
}

int sis__own_thread_start_bare(void *(*run)(void *), bool *bare)
{
	*bare = !sis__is_confined() && sis__bare_thread_start(run) == 0;
	return *bare ? 0 : sis__own_thread_start(run, NULL);
}

void sis__own_thread_begin(const char *name)
{
	uint32_t at = __atomic_fetch_add(&own_count, 1, __ATOMIC_RELAXED) % OWN;
	__atomic_store_n(&own[at], (uint32_t)syscall(SYS_gettid), __ATOMIC_RELAXED);
	sis__guard(); /* never undone: the thread may call functions of the program with probes */
	(void)sis__fp_begin(); /* never undone: the thread has inherited the program's traps */
	sis__local.runtime = true;
	prctl(PR_SET_NAME, name);
}

bool sis__is_own_thread(uint32_t tid)
{
	for (uint32_t i = 0; i < OWN; i++)
		if (__atomic_load_n(&own[i], __ATOMIC_RELAXED) == tid)
			return true;
	return false;
}

/* The kernel still knows the thread for some microseconds after its last instruction. */
bool sis__own_thread_wait(uint32_t *tid)
{
	for (int i = 0; __atomic_load_n(tid, __ATOMIC_RELAXED) != 0 && i < WAITS; i++) {
		uint32_t number = __atomic_load_n(tid, __ATOMIC_RELAXED);
		if (number != UINT32_MAX && syscall(SYS_tgkill, getpid(), number, 0) != 0)
			__atomic_store_n(tid, 0, __ATOMIC_RELAXED);
		else
			sis__nap(WAIT_NS);
	}
	return __atomic_load_n(tid, __ATOMIC_RELAXED) == 0;
}

void sis__own_threads_wait(void)
{
	for (uint32_t i = 0; i < OWN; i++)
		sis__own_thread_wait(&own[i]);
}
