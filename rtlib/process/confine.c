/* SPDX-License-Identifier: BSD-3-Clause */
/* confine.c - a thread of the program goes into a sandbox (seccomp): it tells the kernel which
 * system calls it will make, and the kernel ends the process at any other one. Called by this
 * thread, before and after it tells the kernel.
 *
 *      before    threads of the runtime end, because they might be in the sandbox, too. Also, a
 *                program may end by ending its last thread, which fails if the runtime has threads.
 *                Samples and the trace so far are written. The profile gets more room
 *      after     confined threads are still measured, in memory that exists already. Data that
 *                finds no room is counted. At the end of the process the file stays as it is, as
 *                after a kill, but its state says that the process has ended (SIS_STATE_SANDBOX)
 *
 * A thread that cannot read a clock without a system call is no longer measured. In strict mode a
 * thread must not even read the processor's counter. If such a thread is the initial one, the
 * profile is sealed before.
 *
 * If only one thread goes into a sandbox, and it is not the initial one, the threads of the runtime
 * are outside the sandbox and go on. The other threads of the program go on, too, and the thread
 * that ends the process may seal the file.
 *
 * LIMIT: a thread that goes into a sandbox by an instruction of its own, and not by a function of
 * libc, is not noticed.
 * LIMIT: if all threads go into a sandbox at once, and one of them is just about to make a system
 * call of the runtime, the kernel ends the process. This can only happen within some instructions.
 */
#include "base/clock.h"
#include "base/config.h"
#include "base/lock.h"
#include "base/own_thread.h"
#include "base/read_text.h"
#include "base/system_call.h"
#include "output/profile/store.h"
#include "output/profile/text.h"
#include "output/trace/tracing.h"
#include "measure/core/drg.h"
#include "measure/core/slot.h"
#include "measure/core/thread.h"
#include "measure/control/control.h"
#include "process/confine.h"
#include "process/fatal_signal.h"
#include "process/process.h"
#include "process/sensor.h"
#include "process/watch.h"
#include "measure/sampling/rungs.h"
#include "measure/sampling/sampler.h"
#include "measure/sampling/switches.h"
#include "blame/stacks/samples.h"

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#define AHEAD (4ull << 20) /* bytes of the profile */

/* The state before the sandbox, which is restored if the kernel refuses the sandbox. */
static bool writer_stopped;
static __thread uint32_t confined_before __attribute__((tls_model("initial-exec")));

/* -- the clock --------------------------------------------------------------------------------- */

/* Whether the kernel's clocks are read without a system call, because the vDSO can read its clock
 * source. */
static bool has_clocks(void)
{
	static const char *const mapped[] = { "tsc", "kvm-clock", "hyperv_clocksource_tsc_page",
					      "arch_sys_counter" };
	char source[64];
	sis__read_file("/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
		       sizeof source);
	source[strcspn(source, "\n")] = '\0';
	for (unsigned i = 0; i < sizeof mapped / sizeof *mapped; i++)
		if (strcmp(source, mapped[i]) == 0)
			return getauxval(AT_SYSINFO_EHDR) != 0;
	return false;
}

/* -- before ------------------------------------------------------------------------------------ */

static bool is_initial(void)
{
	return (pid_t)syscall(SYS_gettid) == getpid();
}

static void stop_own_threads(void)
{
	struct sis_time_mark now;
	sis__clock_mark(&now);
	sis__sensors_end();
	sis__sensors_stop();
	sis__control_stop();
	sis__sampler_leave();
	sis__switches_leave();
	writer_stopped = sis__trace_writer_runs();
	sis__trace_writer_stop();
	sis__own_threads_wait();
	sis__stacks_pause(false); /* and waits for pending signals */
	sis__stacks_end(&now);
	sis__trace_write();
	sis__rungs_without_sampler();
}

/* Prepares for the sandbox. The time for this is cost of the probes. */
static void prepare(bool all)
{
	uint64_t began = sis__ticks();
	struct sis_thread *own = sis__local.own;
	sis__guard();
	if (all || is_initial())
		stop_own_threads();
	else
		sis__stacks_thread_confine();
	sis__fatal_signals_release();
	sis__store_grow_ahead(AHEAD);
	sis__confined_clocks = has_clocks();
	if (sis__confined_clocks)
		sis__process_rate();
	if (own) {
		own->pub.stamp = sis__ticks();
		sis__book(own, own->pub.current, RT_PROBE, own->pub.stamp - began);
	}
	sis__unguard();
}

/* From now on the thread is not measured. */
static void leave_measurement(void)
{
	struct sis_thread *own = sis__local.own;
	if (is_initial())
		return sis__process_end();
	sis__guard();
	sis__set_thread_state(NULL);
	sis__local.refused = true;
	sis__unguard();
	if (own && sis__store_is_live())
		sis__slot_end(own);
}

bool sis__confine(const struct sis_sandbox *sandbox)
{
	enum { TURNS = 4 };
	int saved = errno;
	if (!sis__in_this_process())
		return false;
	/* a confined thread makes its sandbox narrower, or takes all other threads into it */
	if (sis__is_confined()) {
		if (sandbox->all)
			__atomic_store_n(&sis__confined, SIS_CONFINED_ALL, __ATOMIC_SEQ_CST);
		return false;
	}
	if (sis__local.own)
		sis__thread_slow(); /* makes the file of a forked child */
	sis__watch_confine();
	sis__watch_stop();
	if (sis__store_is_live())
		prepare(sandbox->all);
	bool clock = !sandbox->strict && (sis__clock_is_tsc || sis__confined_clocks);
	if (!clock) {
		sis__confined_note(sandbox, "not measured");
		leave_measurement();
	}
	sis__local.confined = true;
	confined_before = __atomic_load_n(&sis__confined, __ATOMIC_RELAXED);
	__atomic_store_n(&sis__confined, sandbox->all ? SIS_CONFINED_ALL : SIS_CONFINED_SOME,
			 __ATOMIC_SEQ_CST);
	/* Waits until other threads have left the runtime. On a busy machine these threads may have
	 * to wait for a processor. */
	if (sandbox->all && sis__store_is_live()) {
		sis__sections_wait();
		for (int i = 0; i < TURNS; i++)
			sis__system_call(SYS_sched_yield);
	}
	errno = saved;
	return true;
}

/* -- after ------------------------------------------------------------------------------------- */

void sis__confined_note(const struct sis_sandbox *sandbox, const char *how)
{
	int saved = errno;
	if (sis__store_is_live() && sis__local.own)
		sis__text("sandbox", "%llu\t%s\t%s", (unsigned long long)sis__ticks(), how,
			  sandbox->all ? "all" : "one");
	errno = saved;
}

/* Samples of call stacks and the sampler are not started again. */
void sis__unconfine(void)
{
	int saved = errno;
	sis__local.confined = false;
	__atomic_store_n(&sis__confined, confined_before, __ATOMIC_SEQ_CST);
	if (sis__store_is_live()) {
		sis__guard();
		sis__fatal_signals_catch();
		if (writer_stopped)
			sis__trace_writer_resume();
		sis__unguard();
	}
	errno = saved;
}
