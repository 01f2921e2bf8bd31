/* SPDX-License-Identifier: BSD-3-Clause */
/* confine.c - a thread of the program goes into a sandbox (seccomp): it tells the kernel which
 * system calls it will make, and the kernel ends the process at any other one. That thread, before
 * and after it tells the kernel.
 *
 *      before    threads of the runtime end: they might be in the sandbox, too, and a process whose
 *                last thread ends by the system call `exit` must have no other one. Samples and the
 *                trace so far are written. The profile gets room to grow into
 *      after     confined threads go on to be measured, in memory that is there. What finds no room
 *                is counted. At the end the file stays as it is, as that of a process that is
 *                killed, with a note that this was the end
 *
 * Where they could read no clock, they are not measured any more: in strict mode the processor's
 * counter is off limits, too. If it is the initial thread, the file is sealed before.
 *
 * If one thread, not the initial one, goes into a sandbox, the threads of the runtime are not in
 * it, and go on. The other threads of the program do, too, and the one that ends the process may
 * seal the file.
 *
 * LIMIT: a thread that goes into a sandbox by an instruction of its own, and not by a function of
 * libc, is not noticed.
 * LIMIT: if all threads go into a sandbox at once, one that is just about to make a system call of
 * the runtime ends the process. The window is some instructions long.
 */
#include "base/clock.h"
#include "base/config.h"
#include "base/lock.h"
#include "base/own_thread.h"
#include "base/read_text.h"
#include "base/system_call.h"
#include "profile/store.h"
#include "profile/text.h"
#include "trace/tracing.h"
#include "core/drg.h"
#include "core/slot.h"
#include "core/thread.h"
#include "control/control.h"
#include "process/confine.h"
#include "process/fatal_signal.h"
#include "process/process.h"
#include "process/sensor.h"
#include "sampling/rungs.h"
#include "sampling/sampler.h"
#include "sampling/switches.h"
#include "stacks/samples.h"

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#define AHEAD (4ull << 20) /* bytes of the profile */

/* Before the sandbox, which the kernel may refuse. */
static bool writer_stopped;
static __thread uint32_t confined_before __attribute__((tls_model("initial-exec")));

/* -- the clock --------------------------------------------------------------------------------- */

/* Whether the kernel's clocks are read without a system call: its clock source is in the vDSO. */
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
	sis__stacks_pause(false); /* and no signal is pending */
	sis__stacks_end(&now);
	sis__trace_write();
	sis__rungs_without_sampler();
}

/* Other threads come to the end of what they do in the runtime. On a busy machine a turn takes as
 * long as others use the processor. */
static void wait_for_others(void)
{
	enum { TURNS = 4 };
	sis__sections_wait();
	for (int i = 0; i < TURNS; i++)
		sis__system_call(SYS_sched_yield);
}

/* The time that it takes is cost of the probes. */
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

/* Nothing of it is measured any more. */
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

/* A thread in a sandbox makes it narrower, or takes all others with it. */
static bool is_confined_already(const struct sis_sandbox *sandbox)
{
	bool is = sis__is_confined();
	if (is && sandbox->all)
		__atomic_store_n(&sis__confined, SIS_CONFINED_ALL, __ATOMIC_SEQ_CST);
	return is;
}

bool sis__confine(const struct sis_sandbox *sandbox)
{
	int saved = errno;
	if (!sis__in_this_process() || is_confined_already(sandbox))
		return false;
	if (sis__local.own)
		sis__thread_slow(); /* a forked child has no file yet */
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
	if (sandbox->all && sis__store_is_live())
		wait_for_others();
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

/* Samples and the sampler do not begin again. */
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
