/* SPDX-License-Identifier: BSD-3-Clause */
/* live_run.c - looks at a run again and again (live_run.h). Each run is used by one thread at a
 * time. */
#include "live/look/live_run.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/now.h"
#include "experiment/classify/classify.h"
#include "repository/import/run_directory.h"
#include "live/look/snapshot.h"
#include "experiment/match/match.h"

void live_attach(struct live_run *run, const char *directory)
{
	*run = (struct live_run){
		.most_percent = LIVE_MOST_PERCENT,
		.directory = mem_string(directory),
	};
}

void live_detach(struct live_run *run)
{
	live_look_release(&run->now);
	live_look_release(&run->before);
	live_names_release(&run->names);
	free(run->directory), free(run->run_id), free(run->program);
	*run = (struct live_run){ 0 };
}

/* -- one look ---------------------------------------------------------------------------------- */

static int look_once(struct live_run *run, struct live_look *look, struct err *err)
{
	struct experiment x;
	int64_t began = clock_now(CLOCK_THREAD_CPUTIME_ID);
	if (snapshot_read(&x, run->directory, err))
		return ERR_FAILED;
	int rc = 0;
	if (!run->run_id) {
		run->run_id = mem_string(x.run.run_id);
		run->program = mem_string(x.run.program);
	}
	if (strcmp(run->run_id, x.run.run_id) != 0) {
		rc = err_fail(err, "another run has begun in '%s'; look at it from its start",
			      run->directory);
	} else {
		match_waits(&x, &x.match, &x.warning);
		classify(&x, &x.classify, &x.warning);
		live_look_take(look, &run->names, &x);
		look->realtime_ns = clock_now(CLOCK_REALTIME);
		rc = run->take ? run->take(run->arg, &x, err) : 0;
	}
	if (rc)
		live_look_release(look);
	experiment_release(&x);
	look->cost_ns = clock_now(CLOCK_THREAD_CPUTIME_ID) - began;
	return rc;
}

/* Whether the directory does not exist, or has lost its profiles since the first look. */
static bool is_gone(const struct live_run *run)
{
	struct run_header header;
	if (access(run->directory, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR))
		return true;
	return run->looks && !run_directory_peek(run->directory, &header);
}

/* A process may write, merge or remove its profile while a look reads it. So a look fails only if
 * several attempts fail. */
int live_look(struct live_run *run, struct err *err)
{
	enum { TRIES = 4, PAUSE_NS = 30000000 };
	struct live_look look = { 0 };
	struct err failure;
	int rc = ERR_FAILED;
	for (int i = 0; rc && i < TRIES; i++) {
		if (i)
			nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
		failure = (struct err){ 0 };
		rc = look_once(run, &look, &failure);
	}
	if (rc && is_gone(run)) {
		run->state = LIVE_GONE;
		return err_fail(err, run->looks ? "'%s' was removed while the program ran; what it "
						  "measured is lost"
						: "'%s' does not exist, or has no profile of a "
						  "process",
				run->directory);
	}
	if (rc)
		return err_set(err, rc, "%s", failure.text);
	live_look_release(&run->before);
	run->before = run->now;
	run->now = look;
	run->looks++;
	run->state = look.running ? LIVE_RUNS : LIVE_ENDED;
	return 0;
}

int64_t live_pause_ns(const struct live_run *run, int64_t interval_ns)
{
	int64_t least = run->now.cost_ns * (100 / run->most_percent);
	return least > interval_ns ? least : interval_ns;
}

/* Each look allocates about as much memory as the one before. Keeping this memory costs less than
 * getting it from the system again. */
void live_keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
}
