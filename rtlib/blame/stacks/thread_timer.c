/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_timer.c - timers for threads, used if the kernel refuses perf_event. Called by threads
 * that begin, and by the sampler; sis__timer_sent is also called in the handler.
 *
 * Timers are made by system calls, because libc's timer_create does not accept the clock of another
 * thread. The signals of these timers carry a mark, which signals of the program's own timers do
 * not have. A timer has at most one pending signal: the kernel counts the periods that end
 * meanwhile (si_overrun).
 *
 * The first signal comes after a random part of a period. If it came only after a whole period,
 * threads that live only for a few periods would have too few samples.
 *
 * LIMIT: the kernel looks at these timers at its tick, every 1 to 10 ms. So a sample shows the
 * thread at a tick. A period shorter than a tick is useless, because each tick has at most one
 * sample. The work of a thread after its last tick has no sample.
 * LIMIT: kernels without CONFIG_POSIX_CPU_TIMERS_TASK_WORK (x86 has it from Linux 5.9 on) send the
 * signal at the tick, even if the thread is in a system call. A call that begins to sleep then may
 * end with EINTR. Other kernels send the signal when the thread returns to the program's code.
 */
#include "base/runtime.h"
#include "base/thread_clock.h"
#include "blame/stacks/thread_timer.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SIGEV_THREAD_ID
#define SIGEV_THREAD_ID 4
#endif

static char mark; /* the signals carry its address */

uint64_t sis__timer_least_ns(void)
{
	struct timespec tick; /* the resolution of this clock is one tick */
	return clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 ? (uint64_t)tick.tv_nsec : 0;
}

int sis__timer_new(uint32_t tid, int number)
{
	struct sigevent event;
	int timer;
	memset(&event, 0, sizeof event);
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = number;
	event.sigev_value.sival_ptr = &mark;
	event._sigev_un._tid = (pid_t)tid;
	long failed = syscall(SYS_timer_create, sis__thread_clock(tid), &event, &timer);
	return failed ? -errno : timer;
}

static struct timespec time_of(uint64_t ns)
{
	return (struct timespec){ (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
}

void sis__timer_set(int timer, uint64_t period_ns)
{
	struct itimerspec when = { time_of(period_ns), time_of(period_ns) };
	if (period_ns) {
		uint64_t least = sis__timer_least_ns();
		uint64_t part = period_ns > least ? sis__ticks() % (period_ns - least) : 0;
		when.it_value = time_of(1 + part); /* 0 would mean never */
	}
	syscall(SYS_timer_settime, timer, 0, &when, NULL);
}

void sis__timer_once(int timer, uint64_t ns)
{
	struct itimerspec when = { { 0, 0 }, time_of(ns) };
	syscall(SYS_timer_settime, timer, 0, &when, NULL);
}

void sis__timer_delete(int timer)
{
	syscall(SYS_timer_delete, timer);
}

bool sis__timer_is(int timer)
{
	struct itimerspec now;
	return syscall(SYS_timer_gettime, timer, &now) == 0;
}

bool sis__timer_sent(const siginfo_t *info)
{
	return info->si_code == SI_TIMER && info->si_value.sival_ptr == &mark;
}
