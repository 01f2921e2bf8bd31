/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_source.c - opens sources of samples: events of perf_event, or timers (thread_timer.c).
 * Called by threads that begin, and by the sampler; sis__source_arm_again and sis__source_sent are
 * called in the handler of the samples' signal.
 *
 * perf_event has two advantages over timers. Its periods can have any length. Its clock counts only
 * while the thread executes the program's own code (exclude_kernel), so no signal comes while the
 * thread is in a system call. With some kernels a timer's signal comes there, too. If perf_event
 * and timers are refused, there are no signals at all (SIS_METHOD_LOOK).
 *
 * The length of each period of an event is random, from half to one and a half of the mean. With a
 * fixed length, work that the program does in the same rhythm would be seen too often or too
 * seldom.
 *
 * An event is armed for one signal (PERF_EVENT_IOC_REFRESH); the handler arms it again. So a thread
 * never has more than one pending signal, whatever signals it blocks. A long queue of signals would
 * end the process by SIGIO.
 */
#include "base/runtime.h"
#include "blame/stacks/sample_source.h"
#include "blame/stacks/thread_timer.h"
#include "hash.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FAR_UP = 1000, CACHE_READ_MISS = PERF_COUNT_HW_CACHE_RESULT_MISS << 16 };

/* PAPI's presets for which the kernel has names of its own, so that PAPI need not be loaded. */
static const struct { const char *name; uint32_t type; uint64_t config; } events[] = {
	{ "PAPI_TOT_CYC", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "PAPI_REF_CYC", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
	{ "PAPI_TOT_INS", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "PAPI_BR_INS", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "PAPI_BR_MSP", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "PAPI_L3_TCA", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
	{ "PAPI_L3_TCM", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "PAPI_L1_DCM", PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_L1D | CACHE_READ_MISS },
	{ "PAPI_L1_ICM", PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_L1I | CACHE_READ_MISS },
	{ "PAPI_TLB_DM", PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_DTLB | CACHE_READ_MISS },
	{ "PAPI_TLB_IM", PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_ITLB | CACHE_READ_MISS },
};

bool sis__source_of_event(const char *name, uint64_t period, struct sis_sample_source *source)
{
	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		if (strcmp(events[i].name, name) == 0) {
			*source = (struct sis_sample_source){ .method = SIS_METHOD_PAPI,
							      .period = period,
							      .type = events[i].type,
							      .config = events[i].config };
			return true;
		}
	return false;
}

struct sis_sample_source sis__source_of_clock(uint64_t period_ns)
{
	return (struct sis_sample_source){ .method = SIS_METHOD_CLOCK, .period = period_ns,
					   .type = PERF_TYPE_SOFTWARE,
					   .config = PERF_COUNT_SW_CPU_CLOCK };
}

struct sis_sample_source sis__source_of_timer(uint64_t period_ns)
{
	uint64_t least = sis__timer_least_ns();
	return (struct sis_sample_source){ .method = SIS_METHOD_TIMER,
					   .period = period_ns < least ? least : period_ns };
}

static bool is_timer(const struct sis_sample_source *source)
{
	return source->method == SIS_METHOD_TIMER;
}

/* -- perf_event -------------------------------------------------------------------------------- */

static int open_event(const struct sis_sample_source *source, uint32_t tid)
{
	struct perf_event_attr attributes = {
		.type = source->type,
		.size = sizeof attributes,
		.config = source->config,
		.config1 = source->config1,
		.config2 = source->config2,
		.sample_period = source->period,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.wakeup_events = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attributes, tid, -1, -1,
			      PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Moves the descriptor to a high number, because programs close low descriptors, and expect to get
 * low numbers. */
static int move_up(int fd)
{
	int up = fcntl(fd, F_DUPFD_CLOEXEC, FAR_UP);
	for (int from = FAR_UP / 2; up < 0 && from >= 8; from /= 2) /* RLIMIT_NOFILE is lower */
		up = fcntl(fd, F_DUPFD_CLOEXEC, from);
	int failed = errno;
	close(fd);
	return up < 0 ? -failed : up;
}

/* Makes the event send one signal, when the next period has this length. */
static void send_after(int fd, uint64_t period)
{
	ioctl(fd, PERF_EVENT_IOC_PERIOD, &period);
	ioctl(fd, PERF_EVENT_IOC_REFRESH, 1);
}

static uint64_t random_below(uint64_t limit) { return sis_hash_mix(sis__ticks()) % limit; }

static bool is_perf(int fd)
{
	uint64_t id;
	return ioctl(fd, PERF_EVENT_IOC_ID, &id) == 0;
}

/* -- both -------------------------------------------------------------------------------------- */

int sis__source_open(const struct sis_sample_source *source, uint32_t tid, int number)
{
	struct f_owner_ex owner = { F_OWNER_TID, (pid_t)tid };
	if (is_timer(source))
		return sis__timer_new(tid, number);
	int fd = open_event(source, tid);
	fd = fd < 0 ? fd : move_up(fd);
	if (fd < 0)
		return fd;
	if (fcntl(fd, F_SETOWN_EX, &owner) == 0 && fcntl(fd, F_SETSIG, number) == 0 &&
	    fcntl(fd, F_SETFL, O_ASYNC) == 0)
		return fd;
	int failed = -errno;
	close(fd);
	return failed;
}

/* The kernel cannot change the signal of a timer, so this makes a new one. */
int sis__source_signal(const struct sis_sample_source *source, int handle, uint32_t tid, int number)
{
	sis__source_stop(source, handle);
	if (is_timer(source)) {
		sis__timer_delete(handle);
		return sis__timer_new(tid, number);
	}
	fcntl(handle, F_SETSIG, number);
	return handle;
}

void sis__source_arm(const struct sis_sample_source *source, int handle)
{
	if (is_timer(source))
		sis__timer_set(handle, source->period);
	else
		send_after(handle, 1 + random_below(source->period));
}

uint64_t sis__source_arm_again(const struct sis_sample_source *source, int handle)
{
	uint64_t mean = source->period;
	if (is_timer(source))
		return mean;
	uint64_t period = mean - mean / 2 + random_below(mean);
	send_after(handle, period);
	return period;
}

void sis__source_stop(const struct sis_sample_source *source, int handle)
{
	if (is_timer(source))
		sis__timer_set(handle, 0);
	else
		ioctl(handle, PERF_EVENT_IOC_DISABLE, 0);
}

void sis__source_close(const struct sis_sample_source *source, int handle)
{
	if (is_timer(source))
		sis__timer_delete(handle);
	else if (is_perf(handle))
		close(handle);
}

/* Timers are not inherited, and a timer of the program may have the same number. So only
 * descriptors are closed. */
void sis__source_close_inherited(const struct sis_sample_source *source, int handle)
{
	if (!is_timer(source))
		sis__source_close(source, handle);
}

bool sis__source_is(const struct sis_sample_source *source, int handle)
{
	return is_timer(source) ? sis__timer_is(handle) : is_perf(handle);
}

/* Signals that another process or the program sent have a code of 0 or below. Signals of timers
 * have such a code, too, but carry a mark. */
bool sis__source_sent(const siginfo_t *info, int *handle, uint64_t *periods)
{
	bool timer = sis__timer_sent(info);
	if (!timer && info->si_code <= 0)
		return false;
	*handle = timer ? info->si_timerid : info->si_fd;
	*periods = timer ? (uint64_t)info->si_overrun + 1 : 1;
	return true;
}
