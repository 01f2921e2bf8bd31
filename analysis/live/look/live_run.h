/* SPDX-License-Identifier: BSD-3-Clause */
/* live_run.h - a run that is looked at while it goes on. The processes take no part in it: they
 * have mapped their profiles, and a look reads these files.
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

#include "live/look/look.h"

enum live_state {
	LIVE_RUNS,
	LIVE_ENDED, /* all processes have ended or were killed */
	LIVE_GONE,  /* its directory was removed */
};

/* A function that uses the experiment of each look. The experiment has been classified, and is
 * released when the function returns. If the function fails, the look fails. */
typedef int live_take(void *arg, struct experiment *x, struct err *err);

enum { LIVE_MOST_PERCENT = 3 };

struct live_run {
	/* set by live_attach; the caller may change them */
	live_take *take;         /* NULL at first */
	void *arg;
	int most_percent;        /* percent of one processor's time that looks may take */
	/* set by live_look */
	char *directory, *run_id, *program; /* run_id and program are NULL before the first look */
	enum live_state state;
	struct live_names names;
	/* the last look and the one before; `looks` is the number of looks so far */
	struct live_look now, before;
	uint64_t looks;
};

void live_attach(struct live_run *run, const char *directory);
/* Looks at the run. The previous run->now becomes run->before. After a failure, both are unchanged,
 * and the state says whether the run is gone. */
int live_look(struct live_run *run, struct err *err);
void live_detach(struct live_run *run);
/* To be called once by a process that looks again and again: it then keeps the memory of each look
 * for the next one. */
void live_keep_memory(void);

/* How long to wait between two looks: the interval, or longer if looks take long. */
int64_t live_pause_ns(const struct live_run *run, int64_t interval_ns);

#endif
