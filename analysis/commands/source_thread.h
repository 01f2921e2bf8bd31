/* SPDX-License-Identifier: BSD-3-Clause */
/* source_thread.h - loads the tables of an experiment for the page in a thread, while commands that
 * share no data with it run. */
#ifndef SIS_ANALYSIS_SOURCE_THREAD_H
#define SIS_ANALYSIS_SOURCE_THREAD_H

#include <pthread.h>

#include "page/view/page_source.h"

struct source_thread {
	pthread_t thread;
	bool runs;
	const char *file; /* of the repository */
	int64_t experiment;
	/* written by the thread */
	struct page_source source;
	struct err err;
	int rc;
};

/* Begins to load the tables. The repository must not change until source_thread_join. */
void source_thread_start(struct source_thread *thread, struct repo *repo, int64_t experiment);
/* Waits until the tables are loaded. From then on, `source` reads its rows from `repo`. */
int source_thread_join(struct source_thread *thread, struct page_source *source, struct repo *repo,
		       struct err *err);

#endif
