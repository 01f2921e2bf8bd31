/* SPDX-License-Identifier: BSD-3-Clause */
/* alive.c - see alive.h. Owns nothing; any thread. */
#include "live/alive.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool alive_is_here(const struct sis_profile_header *head)
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

/* -- whether it runs --------------------------------------------------------------------------- */

/* What /proc says of a process. */
struct status { char state; uint64_t start_ns; /* since the boot */ };

/* The name of the program, which stands between parentheses, may contain any character. */
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

/* Whether the process began after the profile, so that it only has the same number. */
static bool is_another(const struct sis_profile_header *head, const struct status *status)
{
	const uint64_t margin = 1000000000u;
	uint64_t asleep = clock_now(CLOCK_BOOTTIME) - clock_now(CLOCK_MONOTONIC);
	return status->start_ns > head->start.monotonic_ns + asleep + margin;
}

bool alive(const struct sis_profile_header *head)
{
	struct status status;
	if (head->state != SIS_STATE_RUNNING)
		return false;
	if (!alive_is_here(head))
		return true;
	if (kill((pid_t)head->pid, 0) != 0 && errno != EPERM)
		return false;
	if (!read_status(head->pid, &status))
		return true; /* there is no /proc */
	return status.state != 'Z' && status.state != 'X' && !is_another(head, &status);
}

/* -- its clock --------------------------------------------------------------------------------- */

/* 0: this processor has no such counter. */
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

/* Whether the ticks are those that have passed since the start, by the rate that was measured
 * there: within 1 % and 10 ms. */
static bool is_same_clock(const struct sis_profile_header *head, const struct sis_time_mark *now)
{
	double rate = (double)head->ticks_per_second,
	       expected = (double)(now->monotonic_ns - head->start.monotonic_ns) / 1e9 * rate,
	       ticks = (double)(now->ticks - head->start.ticks), off = ticks - expected;
	return (off < 0 ? -off : off) <= expected / 100 + rate / 100;
}

bool alive_clock(const struct sis_profile_header *head, struct sis_time_mark *now)
{
	if (!alive_is_here(head))
		return false;
	*now = (struct sis_time_mark){ .ticks = ticks_now(head->clock),
				       .monotonic_ns = clock_now(CLOCK_MONOTONIC),
				       .realtime_ns = clock_now(CLOCK_REALTIME) };
	return now->ticks > head->start.ticks && now->monotonic_ns > head->start.monotonic_ns &&
		is_same_clock(head, now);
}
