/* SPDX-License-Identifier: BSD-3-Clause */
/* pt_create.c - notes where a thread was created, for samples of call stacks, and measures threads
 * that have no probes (SIS_RUN). The functions are interposed in libsis.so, and called by the
 * program's threads.
 *
 * If nothing is sampled, and threads without probes are not measured, the call is only passed on.
 * Else the new thread begins in a function of this file, which notes the origin and jumps to the
 * program's function. A jump leaves no frame, so the program's stack is the same as without the
 * runtime.
 * Threads of the runtimes of OpenMP and MPI get neither a slot nor an origin here. A team that such
 * a thread joins gives it both. Outside of teams these threads only wait.
 * LIMIT: with libsis.a, or if the program defines its own pthread_create, the stack of a thread
 * ends where the thread begins.
 */
#include "base/runtime_libraries.h"
#include "base/state.h"
#include "adapters/pthread/pt_real.h"
#include "blame/stacks/samples.h"
#include "process/start.h"

#include <dlfcn.h>
#include <pthread.h>
#include <threads.h>
#include <unistd.h>

#if defined __GLIBC__ && !defined __SANITIZE_THREAD__

SIS_PT_REAL(pthread_create)
SIS_PT_REAL(thrd_create)

typedef void *start_function(void *);

enum { BIRTHS = 64 };

/* Facts about a new thread, noted by the call that creates the thread, for the thread's begin. */
struct birth {
	uint32_t pid; /* the process that uses this entry; 0: it is free; atomic */
	uint64_t origin;
	bool is_of_runtime; /* the thread belongs to OpenMP's or MPI's runtime */
	union { start_function *posix; thrd_start_t c11; } start;
	void *argument;
};
static struct birth births[BIRTHS];

static void free_birth(struct birth *birth)
{
	__atomic_store_n(&birth->pid, 0, __ATOMIC_RELEASE);
}

/* Makes an entry for a new thread. Returns NULL if the thread shall begin in the program's function
 * directly. An entry with the number of another process was copied by a fork, and is free here. */
static struct birth *prepare(const void *start, const void *from)
{
	sis__start(); /* libraries may create threads in their constructors */
	if (SIS_LIKELY(!sis__measures_all && !sis__stacks_running()))
		return NULL;
	bool of_runtime = sis__library_of(start) == SIS_LIBRARY_RUNTIME;
	if (sis__measures_all && !of_runtime)
		sis__thread(); /* so that the thread that creates is sampled, too */
	uint64_t origin = of_runtime ? 0 : sis__stacks_thread_origin(from);
	if (!origin && !sis__measures_all)
		return NULL;
	uint32_t pid = (uint32_t)getpid();
	for (unsigned i = 0; i < BIRTHS; i++) {
		uint32_t there = __atomic_load_n(&births[i].pid, __ATOMIC_RELAXED);
		/* the acquire pairs with free_birth */
		if (there != pid && __atomic_compare_exchange_n(&births[i].pid, &there, pid, false,
								__ATOMIC_ACQUIRE,
								__ATOMIC_RELAXED)) {
			births[i].origin = origin;
			births[i].is_of_runtime = of_runtime;
			return &births[i];
		}
	}
	return NULL;
}

/* Called in the new thread. */
static struct birth begin(struct birth *entry)
{
	struct birth birth = *entry;
	free_birth(entry);
	sis__stacks_thread_came_from(birth.origin);
	if (sis__measures_all && birth.is_of_runtime)
		sis__local.refused = true;
	else if (sis__measures_all)
		sis__thread();
	return birth;
}

static void *begin_posix(void *entry)
{
	struct birth birth = begin(entry);
	return birth.start.posix(birth.argument);
}

static int begin_c11(void *entry)
{
	struct birth birth = begin(entry);
	return birth.start.c11(birth.argument);
}

SIS_EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			      start_function *start, void *argument)
{
	struct birth *birth = prepare((const void *)start, __builtin_return_address(0));
	if (SIS_LIKELY(!birth))
		return real_pthread_create()(thread, attributes, start, argument);
	birth->start.posix = start;
	birth->argument = argument;
	int code = real_pthread_create()(thread, attributes, begin_posix, birth);
	if (code != 0)
		free_birth(birth);
	return code;
}

SIS_EXPORT int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
	struct birth *birth = prepare((const void *)start, __builtin_return_address(0));
	if (SIS_LIKELY(!birth))
		return real_thrd_create()(thread, start, argument);
	birth->start.c11 = start;
	birth->argument = argument;
	int code = real_thrd_create()(thread, begin_c11, birth);
	if (code != thrd_success)
		free_birth(birth);
	return code;
}

#endif
