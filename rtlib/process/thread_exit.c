/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_exit.c - frees the slot of a thread that ends. That thread, in a destructor of
 * thread-specific data.
 */
#include "base/state.h"
#include "trace/tracing.h"
#include "wait_causes/culprit.h"
#include "core/slot.h"
#include "core/thread.h"
#include "control/control.h"
#include "process/no_processor.h"
#include "sampling/sampler.h"
#include "sampling/switches.h"
#include "stacks/samples.h"
#include "process/sensor.h"
#include "process/thread_exit.h"

#include <limits.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_key_t exit_key;
static bool exit_key_made;

/* If the initial thread ends first, the process goes on until its last thread ends. So the threads
 * of the runtime must end. */
static void stop_own_threads(void)
{
	if ((pid_t)syscall(SYS_gettid) != getpid())
		return;
	sis__trace_writer_stop();
	sis__sensors_stop();
	sis__sampler_stop();
	sis__switches_leave();
	sis__control_stop();
}

/* Other destructors may enter regions after this one; then the thread is attached again. libc calls
 * all destructors up to PTHREAD_DESTRUCTOR_ITERATIONS times, as long as one has set its data. This
 * one sets its data each time, so that it is called again and frees such a slot. */
static void thread_exit(void *again)
{
	struct sis_thread *thread = sis__local.own;
	if (thread)
		sis__rendezvous_arrive((const void *)pthread_self());
	if (thread && sis__store_is_live())
		sis__no_processor_last(thread, thread->pub.root->start);
	stop_own_threads();
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
