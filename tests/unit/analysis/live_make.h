/* SPDX-License-Identifier: BSD-3-Clause */
/* live_make.h - runs that seem to go on: profiles of processes that run, in a directory. */
#ifndef SIS_TESTS_LIVE_MAKE_H
#define SIS_TESTS_LIVE_MAKE_H

#include "live/look/live_run.h"
#include "profile_write.h"

#define MS 1000000

struct live_made { /* a process: main, in which it called `work` and is in MPI_Recv */
	int32_t rank, size;
	uint32_t pid;       /* 0: that of the first process of this host, which runs all the time */
	const char *host;   /* NULL: this host */
	int begun_ms;       /* how long ago it began ... */
	int stamp_ms;       /* ... and passed its last probe, in MPI_Recv */
	int work_ms;        /* of `work`, ... */
	uint64_t calls;     /* ... in so many calls */
	enum sis_state state;
	const char *run_id; /* NULL: "run" */
	const char *name;   /* of the function `work`; NULL: "work" */
};

/* Makes a directory below TMPDIR; the caller frees its name. */
char *live_make_directory(void);
/* Writes the profile, `number` of the directory, in place of the one before. */
void live_make(const char *directory, int number, const struct live_made *made);
void live_make_remove(const char *directory);
/* Looks, and fails the test if that fails. */
void live_make_look(struct live_run *run);

#endif
