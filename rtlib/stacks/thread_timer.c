/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_timer.c - timers for threads where the kernel refuses perf_event. Threads that begin, and
 * the sampler; nothing here is called in the handler but sis__timer_sent.
 *
 * System calls make the timers, because libc's timer_create knows no clock of another thread. The
 * signals carry a mark. By this mark the handler tells them from signals of the program's own
 * timers. A timer has at most one pending signal: the kernel counts the periods that end meanwhile
 * (si_overrun).
 *
 * The first signal comes after a random part of a period. If it came at the first tick after a
 * whole one, short threads would have too few samples: one of 8 ms would have 4 ms.
 *
 * LIMIT: the kernel looks at these timers at its tick, each 1 to 10 ms. So a sample is of the time
 * at the tick, and shorter periods are no use: there is one sample a tick. What a thread does after
 * its last tick has no sample.
 * LIMIT: kernels without CONFIG_POSIX_CPU_TIMERS_TASK_WORK (x86 has it from Linux 5.9 on) send the
 * signal from the tick, also while the thread is in a system call: a call that begins to sleep then
 * may end with EINTR. The others send it when the thread returns to the program's code.
 */
#include "base/runtime.h"
#include "base/thread_clock.h"
#include "stacks/thread_timer.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SIGEV_THREAD_ID
#define SIGEV_THREAD_ID 4
#endif

static char mark; /* its address is in the signals */

uint64_t sis__timer_least_ns(void)
{
	struct timespec tick; /* of this clock, which is the tick's */
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

/* Not 0, which is never. */
static uint64_t first_ns(uint64_t period_ns)
{
	uint64_t least = sis__timer_least_ns();
	return 1 + (period_ns > least ? sis__ticks() % (period_ns - least) : 0);
}

static struct timespec time_of(uint64_t ns)
{
	return (struct timespec){ (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
}

void sis__timer_set(int timer, uint64_t period_ns)
{
	struct itimerspec when = { time_of(period_ns), time_of(period_ns) };
	if (period_ns)
		when.it_value = time_of(first_ns(period_ns));
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
