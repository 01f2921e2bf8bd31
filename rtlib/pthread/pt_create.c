/* SPDX-License-Identifier: BSD-3-Clause */
/* pt_create.c - tells the samples of call stacks where a thread was created. Interposed in
 * libsis.so; the program's threads.
 *
 * If nothing is sampled, the call is only passed on. Else the new thread begins in a function of
 * this file, which notes the place and jumps to the program's function. A jump leaves no frame: the
 * program's stack is as it would be.
 * A thread of OpenMP's runtime has no such place: each team that it joins has one.
 * LIMIT: with libsis.a, and if the program defines its own pthread_create, the stacks of threads
 * end where the threads begin.
 */
#include "base/state.h"
#include "pthread/pt_real.h"
#include "stacks/samples.h"

#include <pthread.h>
#include <threads.h>
#include <unistd.h>

#if defined __GLIBC__ && !defined __SANITIZE_THREAD__

SIS_PT_REAL(pthread_create)
SIS_PT_REAL(thrd_create)

typedef void *start_function(void *);

enum { BIRTHS = 64 };

/* A thread between the call that creates it and its begin. */
struct birth {
	uint32_t pid; /* atomic: of the process that uses this place; 0: it is free */
	uint64_t origin;
	union { start_function *posix; thrd_start_t c11; } start;
	void *argument;
};
static struct birth births[BIRTHS];

/* A place that another process uses was copied by a fork, and is free here. */
static struct birth *take_place(void)
{
	uint32_t pid = (uint32_t)getpid();
	for (unsigned i = 0; i < BIRTHS; i++) {
		uint32_t there = __atomic_load_n(&births[i].pid, __ATOMIC_RELAXED);
		/* acquire: with free_place */
		if (there != pid && __atomic_compare_exchange_n(&births[i].pid, &there, pid, false,
								__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return &births[i];
	}
	return NULL;
}

static void free_place(struct birth *birth)
{
	__atomic_store_n(&birth->pid, 0, __ATOMIC_RELEASE);
}

/* NULL: the thread begins where the program says. */
static struct birth *prepare(const void *start, const void *from)
{
	uint64_t origin = sis__stacks_thread_origin(start, from);
	struct birth *birth = origin ? take_place() : NULL;
	if (birth)
		birth->origin = origin;
	return birth;
}

/* In the new thread. */
static struct birth begin(void *place)
{
	struct birth birth = *(struct birth *)place;
	free_place(place);
	sis__stacks_thread_came_from(birth.origin);
	return birth;
}

static void *begin_posix(void *place)
{
	struct birth birth = begin(place);
	return birth.start.posix(birth.argument);
}

static int begin_c11(void *place)
{
	struct birth birth = begin(place);
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
		free_place(birth);
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
		free_place(birth);
	return code;
}

#endif
