/* SPDX-License-Identifier: BSD-3-Clause */
/* live_run.h - a run that is looked at while it goes on. The processes take no part: their profiles
 * are files that they have mapped, and a look reads these files.
 *
 *     struct live_run run;
 *     live_attach(&run, "sis-prog-20261101-120000-77");
 *     while (live_look(&run, &err) == 0 && run.state == LIVE_RUNS) {
 *             ... run.now, run.before, run.names ...
 *             sleep for live_pause_ns(&run, 1000000000)
 *     }
 *     live_detach(&run);
 */
#ifndef SIS_ANALYSIS_LIVE_RUN_H
#define SIS_ANALYSIS_LIVE_RUN_H

#include "live/look.h"

enum live_state {
	LIVE_RUNS,
	LIVE_ENDED, /* no process runs any more, whether it reached its end or was killed */
	LIVE_GONE,  /* its directory was removed */
};

/* What else is made of each look: its experiment is classified, and released afterwards. A failure
 * is that of the look. */
typedef int live_take(void *arg, struct experiment *x, struct err *err);

enum { LIVE_MOST_PERCENT = 3 };

struct live_run {
	/* set by live_attach; the caller may change them */
	live_take *take;         /* NULL */
	void *arg;
	int most_percent;        /* of one processor, which looks may take: LIVE_MOST_PERCENT */
	/* set by live_look */
	char *directory, *run_id, *program; /* run_id, program: NULL before the first look */
	enum live_state state;
	struct live_names names;
	/* the last look and the one before; looks: how many there were */
	struct live_look now, before;
	uint64_t looks;
};

void live_attach(struct live_run *run, const char *directory);
/* Looks at the run: run->now becomes run->before. After a failure both are as they were; the state
 * says whether the run is gone. */
int live_look(struct live_run *run, struct err *err);
void live_detach(struct live_run *run);
/* For a process that looks again and again: it keeps the memory of a look for the next one. */
void live_keep_memory(void);

/* How long to wait between two looks: the interval, or longer if looks take long. */
int64_t live_pause_ns(const struct live_run *run, int64_t interval_ns);

#endif
