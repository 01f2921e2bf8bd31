/* SPDX-License-Identifier: BSD-3-Clause */
/* alive.c - asks the kernel whether a process runs, and reads its clocks (alive.h). Owns nothing.
 * Any thread may call it. */
#include "live/look/alive.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Whether the process is on this host, judged by the name of the host. */
static bool is_here(const struct sis_profile_header *head)
{
	char here[sizeof head->host] = "";
	gethostname(here, sizeof here - 1);
	return strcmp(here, head->host) == 0;
}

static uint64_t clock_now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* -- whether the process runs ------------------------------------------------------------------ */

/* What /proc says about a process. */
struct status { char state; uint64_t start_ns; /* since the boot */ };

/* In /proc/PID/stat, the program's name is between parentheses. The name may contain any character,
 * even parentheses, so only the last ) is sure to end it. */
static bool read_status(uint32_t pid, struct status *status)
{
	char path[64], line[1024] = "";
	unsigned long long ticks;
	snprintf(path, sizeof path, "/proc/%u/stat", pid);
	FILE *file = fopen(path, "r");
	size_t n = file ? fread(line, 1, sizeof line - 1, file) : 0;
	if (file)
		fclose(file);
	char *after = n ? strrchr(line, ')') : NULL;
	if (!after || sscanf(after + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d "
			     "%*d %*d %*d %*d %*d %llu", &status->state, &ticks) != 2)
		return false;
	status->start_ns = ticks * (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));
	return true;
}

bool alive(const struct sis_profile_header *head)
{
	struct status status;
	if (head->state != SIS_STATE_RUNNING)
		return false;
	if (!is_here(head))
		return true;
	if (kill((pid_t)head->pid, 0) != 0 && errno != EPERM)
		return false;
	if (!read_status(head->pid, &status))
		return true; /* there is no /proc */
	/* a process that began after the profile was made is another one with this number */
	const uint64_t margin = 1000000000u;
	uint64_t asleep = clock_now(CLOCK_BOOTTIME) - clock_now(CLOCK_MONOTONIC);
	return status.state != 'Z' && status.state != 'X' &&
		status.start_ns <= head->start.monotonic_ns + asleep + margin;
}

/* -- the clock of the process ------------------------------------------------------------------ */

/* The current value of a clock of profiles; 0 if this processor lacks the clock. */
static uint64_t ticks_now(uint32_t clock)
{
	if (clock == SIS_CLOCK_MONOTONIC)
		return clock_now(CLOCK_MONOTONIC);
#if defined __x86_64__ || defined __i386__
	return __builtin_ia32_rdtsc();
#else
	return 0;
#endif
}

bool alive_clock(const struct sis_profile_header *head, struct sis_time_mark *now)
{
	if (!is_here(head))
		return false;
	*now = (struct sis_time_mark){ .ticks = ticks_now(head->clock),
				       .monotonic_ns = clock_now(CLOCK_MONOTONIC),
				       .realtime_ns = clock_now(CLOCK_REALTIME) };
	if (now->ticks <= head->start.ticks || now->monotonic_ns <= head->start.monotonic_ns)
		return false;
	/* This is the clock of the process if it has advanced since the start by as many ticks as
	 * the rate in the header predicts, within 1 % and 10 ms. */
	double rate = (double)head->ticks_per_second,
	       expected = (double)(now->monotonic_ns - head->start.monotonic_ns) / 1e9 * rate,
	       ticks = (double)(now->ticks - head->start.ticks), off = ticks - expected;
	return (off < 0 ? -off : off) <= expected / 100 + rate / 100;
}
