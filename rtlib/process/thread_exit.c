/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_exit.c - frees the slot of a thread that ends. Called by this thread, in a destructor of
 * thread-specific data.
 */
#include "base/state.h"
#include "output/trace/tracing.h"
#include "measure/wait_causes/culprit.h"
#include "measure/core/slot.h"
#include "measure/core/thread.h"
#include "measure/control/control.h"
#include "process/no_processor.h"
#include "measure/sampling/sampler.h"
#include "measure/sampling/switches.h"
#include "blame/stacks/samples.h"
#include "process/sensor.h"
#include "process/thread_exit.h"

#include <limits.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_key_t exit_key;
static bool exit_key_made;

/* Destructors that run after this one may enter regions. Then the thread is attached again. libc
 * calls destructors up to PTHREAD_DESTRUCTOR_ITERATIONS times, as long as one of them has set its
 * data again. This destructor sets its data each time, so that it is called again and frees the new
 * slot. */
static void thread_exit(void *again)
{
	struct sis_thread *thread = sis__local.own;
	if (thread)
		sis__rendezvous_arrive((const void *)pthread_self());
	if (thread && sis__store_is_live())
		sis__no_processor_last(thread, thread->pub.root->start);
	/* If the initial thread ends before others, the process goes on until its last thread ends.
	 * So the threads of the runtime must end now. */
	if ((pid_t)syscall(SYS_gettid) == getpid()) {
		sis__trace_writer_stop();
		sis__sensors_stop();
		sis__sampler_stop();
		sis__switches_leave();
		sis__control_stop();
	}
	sis__stacks_thread_end();
	sis__guard();
	thread = sis__local.own; /* a signal handler may have attached the thread meanwhile */
	sis__local.exits++;
	sis__set_thread_state(NULL);
	sis__unguard();
	if (thread && sis__store_is_live())
		sis__slot_end(thread);
	if (sis__local.exits < PTHREAD_DESTRUCTOR_ITERATIONS)
		pthread_setspecific(exit_key, again);
}

void sis__thread_exit_init(void)
{
	exit_key_made = pthread_key_create(&exit_key, thread_exit) == 0;
}

void sis__thread_exit_arm(struct sis_thread *thread)
{
	if (exit_key_made)
		pthread_setspecific(exit_key, thread);
}
