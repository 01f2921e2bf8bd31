/* SPDX-License-Identifier: BSD-3-Clause */
/* snapshot.c - see snapshot.h. One thread; owns nothing.
 *
 * A profile that has an end is complete up to this end. So the moment of the snapshot becomes the
 * end of each process that runs: one moment for all, after the last profile was read. It also gives
 * the rate of the clock, for which the header of a process that runs has only a short
 * calibration. */
#include "live/snapshot.h"

#include <time.h>

#include "import/run_directory.h"
#include "live/alive.h"

static void end_now(struct experiment *x)
{
	for (size_t i = 0; i < x->model.process.n; i++) {
		struct process *process = &x->model.process.fill.at[i];
		struct sis_profile_header *head = &process->profile.head;
		struct sis_time_mark now;
		process->goes_on = head->end.ticks == 0 && alive(head);
		if (process->goes_on && alive_clock(head, &now))
			head->end = now;
	}
}

int snapshot_read(struct experiment *x, const char *directory, struct err *err)
{
	int rc = experiment_read_profiles(x, directory, err);
	if (rc)
		return rc;
	end_now(x);
	return experiment_model(x, err);
}

/* By the clocks of day of the two hosts, which are as near as NTP keeps them. */
static int64_t age_elsewhere(const struct process *process, uint64_t stamp)
{
	const struct sis_profile_header *head = &process->profile.head;
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	int64_t since_start = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec -
		(int64_t)head->start.realtime_ns;
	return since_start - clock_span_ns(&process->clock, stamp - head->start.ticks);
}

int64_t snapshot_age_ns(const struct process *process, const struct profile_thread *thread)
{
	const struct sis_profile_header *head = &process->profile.head;
	if (thread->stamp < head->start.ticks)
		return -1;
	if (head->end.ticks >= thread->stamp)
		return clock_span_ns(&process->clock, head->end.ticks - thread->stamp);
	return head->end.ticks ? 0 : age_elsewhere(process, thread->stamp);
}
