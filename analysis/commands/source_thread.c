/* SPDX-License-Identifier: BSD-3-Clause */
/* source_thread.c - a thread with its own connection to the repository. For a page of a million
 * summaries, loading the tables and making the report take about the same time, so doing both at
 * once takes half. */
#include "commands/source_thread.h"

static void load(struct source_thread *t)
{
	struct repo *repo = NULL;
	t->rc = repo_open(&repo, t->file, REPO_READ, &t->err);
	t->rc = t->rc ? t->rc : page_source_load(&t->source, repo, t->experiment, &t->err);
	repo_close(repo);
}

static void *load_in_thread(void *arg)
{
	load(arg);
	return NULL;
}

/* Loads the tables now if no thread can be started, or if the repository is in memory, because such
 * a repository cannot have a second connection. */
void source_thread_start(struct source_thread *t, struct repo *repo, int64_t experiment)
{
	*t = (struct source_thread){ .file = repo_file(repo), .experiment = experiment };
	if (repo_is_in_memory(repo)) {
		t->rc = page_source_load(&t->source, repo, experiment, &t->err);
		return;
	}
	t->runs = pthread_create(&t->thread, NULL, load_in_thread, t) == 0;
	if (!t->runs)
		load(t);
}

int source_thread_join(struct source_thread *t, struct page_source *source, struct repo *repo,
		       struct err *err)
{
	if (t->runs)
		pthread_join(t->thread, NULL);
	if (t->rc)
		return err_set(err, t->rc, "%s", t->err.text);
	*source = t->source;
	source->repo = repo;
	return 0;
}
