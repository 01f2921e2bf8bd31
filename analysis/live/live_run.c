/* SPDX-License-Identifier: BSD-3-Clause */
/* live_run.c - see live_run.h. One thread at a time for each run. */
#include "live/live_run.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/now.h"
#include "classify/classify.h"
#include "import/run_directory.h"
#include "live/snapshot.h"
#include "match/match.h"

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

static int check_same_run(struct live_run *run, const struct experiment *x, struct err *err)
{
	if (!run->run_id) {
		run->run_id = mem_string(x->run.run_id);
		run->program = mem_string(x->run.program);
	}
	return strcmp(run->run_id, x->run.run_id) == 0 ? 0 :
		err_fail(err, "another run has begun in '%s'; look at it from its start",
			 run->directory);
}

static int look_once(struct live_run *run, struct live_look *look, struct err *err)
{
	struct experiment x;
	int64_t began = clock_now(CLOCK_THREAD_CPUTIME_ID);
	if (snapshot_read(&x, run->directory, err))
		return ERR_FAILED;
	int rc = check_same_run(run, &x, err);
	if (rc == 0) {
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

/* A process may write, merge or remove its profile while it is read. So a failure counts if it
 * lasts. */
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

/* Each look allocates as much as the one before. Kept memory costs less than memory that the system
 * has to give again. */
void live_keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
}
