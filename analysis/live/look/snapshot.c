/* SPDX-License-Identifier: BSD-3-Clause */
/* snapshot.c - reads the profiles of a run that goes on, and lets the run end now in the model
 * (snapshot.h). Owns nothing. Called by one thread.
 *
 * The analysis treats a profile as complete up to its end. So the moment of the snapshot becomes
 * the end of each process that runs on this host. The processes get nearly the same moment, because
 * their clocks are read together, after the last profile was read. The rate of the clock is also
 * computed from this moment, because the header of a process that runs has only a short
 * calibration. */
#include "live/look/snapshot.h"

#include <time.h>

#include "repository/import/run_directory.h"
#include "live/look/alive.h"

int snapshot_read(struct experiment *x, const char *directory, struct err *err)
{
	int rc = experiment_read_profiles(x, directory, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < x->model.process.n; i++) {
		struct process *process = &x->model.process.fill.at[i];
		struct sis_profile_header *head = &process->profile.head;
		struct sis_time_mark now;
		process->goes_on = head->end.ticks == 0 && alive(head);
		if (process->goes_on && alive_clock(head, &now))
			head->end = now;
	}
	return experiment_model(x, err);
}

int64_t snapshot_age_ns(const struct process *process, const struct profile_thread *thread)
{
	const struct sis_profile_header *head = &process->profile.head;
	if (thread->stamp < head->start.ticks)
		return -1;
	if (head->end.ticks >= thread->stamp)
		return clock_span_ns(&process->clock, head->end.ticks - thread->stamp);
	if (head->end.ticks)
		return 0;
	/* subtracts times of day of two hosts, which agree only as far as NTP makes them */
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	int64_t since_start = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec -
		(int64_t)head->start.realtime_ns;
	return since_start - clock_span_ns(&process->clock, thread->stamp - head->start.ticks);
}
