/* SPDX-License-Identifier: BSD-3-Clause */
/* view_live.c - see view_live.h.
 *
 *     profiles of the run -> live/look/ (a look) -> a repository in memory -> page/view/ (a page)
 * -> live/serve/
 *
 * Each look is stored as an experiment in the repository in memory, in place of the look before. So
 * commands can print the documents, and a live page has all that a written page has.
 *
 * The first thread looks at the run and makes pages. The thread of the server gives the newest page
 * to browsers. While no browser asks, the first thread does not look. */
#include "commands/view_live.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/browser.h"
#include "base/escape.h"
#include "base/now.h"
#include "base/stream.h"
#include "commands/option_values.h"
#include "commands/view_page.h"
#include "commands/view_traces.h"
#include "repository/import/analyze.h"
#include "repository/import/import.h"
#include "live/look/live_run.h"
#include "live/look/target.h"
#include "live/serve/server.h"

enum { MOST_PERCENT = 5 }; /* of one processor's time, for looks and pages */

struct live_page {
	struct page page;
	struct page_live live;
};

struct live_view {
	struct context *c;
	size_t limit;
	int64_t interval_ns;
	struct live_run run;
	int64_t experiment;      /* id in the repository */
	int64_t spent_ns;        /* CPU time of this process when the last page was ready */
	int64_t cost_ns;         /* cost of the last look with its page; 0: there was none */
	uint64_t pages;          /* number of pages that were made */
	pthread_mutex_t lock;
	pthread_cond_t asked;
	/* guarded by lock */
	struct live_page *newest; /* NULL: there is none yet */
	bool is_wanted;          /* a browser asked for a newer page */
};

/* -- a page ------------------------------------------------------------------------------------ */

static void live_page_free(struct live_page *p)
{
	if (!p)
		return;
	page_release(&p->page);
	free(p);
}

/* Stores the experiment of a look. It replaces the stored experiment, because that one is of the
 * same run, and is not complete. */
static int take_look(void *arg, struct experiment *x, struct err *err)
{
	struct live_view *v = arg;
	const struct store_options options = { .role = "par" };
	analyze_causes(x);
	return store_experiment(v->c->repo, x, &options, &v->experiment, err) < 0 ? ERR_FAILED : 0;
}

/* After the run has ended, replaces the last look by the experiment as `import` stores it, with
 * variables. */
static int import_whole(struct live_view *v, struct err *err)
{
	const struct store_options options = { .role = "par" };
	char *path = realpath(v->run.directory, NULL);
	if (!path)
		return err_fail(err, "cannot open '%s': %s", v->run.directory, strerror(errno));
	int rc = store_remove(v->c->repo, v->experiment, err);
	rc = rc ? rc : import_run(v->c->repo, path, &options, &v->experiment, err);
	free(path);
	return rc;
}

/* For each unit, how long it has been in its present region; -1 if this is not known. */
static int64_t *since_of_units(const struct live_look *look, const struct call_graph *graph)
{
	int64_t *since = mem_alloc(graph->pu.n, sizeof *since);
	struct map row = { 0 };
	for (uint32_t i = 0; i < graph->pu.n; i++) {
		since[i] = -1;
		map_put(&row, (uint64_t)graph->pu.at[i].process,
			(uint64_t)graph->pu.at[i].thread, i, NULL);
	}
	for (size_t i = 0; i < look->pu.n; i++) {
		uint32_t at = map_get(&row, look->pu.at[i].process, look->pu.at[i].slot);
		if (at != MAP_NONE)
			since[at] = look->pu.at[i].since_ns;
	}
	map_free(&row);
	return since;
}

/* Makes the page of the last look. Returns NULL if this fails. */
static struct live_page *make_page(struct live_view *v, struct err *err)
{
	struct live_page *p = mem_alloc(1, sizeof *p);
	enum live_state state = v->run.state;
	*p = (struct live_page){
		.page = { .limit = v->limit, .live = &p->live },
		.live = {
			.look = ++v->pages,
			.interval_ns = live_pause_ns(&v->run, v->interval_ns),
			.cost_ns = v->run.now.cost_ns,
			.state = state == LIVE_RUNS  ? "runs" :
				 state == LIVE_ENDED ? "ended" : "gone",
			.running = v->run.now.running,
			.processes = v->run.now.processes,
		},
	};
	char *id = mem_print("%lld", (long long)v->experiment);
	int rc = view_page_add(v->c, &p->page, &id, 1, err);
	free(id);
	if (rc == 0) {
		struct page_source *source = &p->page.experiment.at[0].source;
		source->since_ns = since_of_units(&v->run.now, &source->graph);
		if (state == LIVE_ENDED)
			rc = view_traces_read(&p->page, v->c->repo, err);
		rc = rc ? rc : view_page_make(&p->page, v->c->repo, "-", err);
	}
	if (rc) {
		live_page_free(p);
		return NULL;
	}
	return p;
}

static int publish(struct live_view *v, struct err *err)
{
	struct live_page *made = make_page(v, err), *old;
	if (!made)
		return ERR_FAILED;
	pthread_mutex_lock(&v->lock);
	old = v->newest;
	v->newest = made;
	v->is_wanted = false;
	pthread_mutex_unlock(&v->lock);
	live_page_free(old);
	return 0;
}

/* Looks, and makes the page, which shows what the look before cost. If the run's directory was
 * removed, the page shows the last look, and that the run is gone. */
static int look(struct live_view *v, struct err *err)
{
	struct err failure = { 0 };
	int rc = live_look(&v->run, &failure);
	if (rc && (v->run.state != LIVE_GONE || !v->run.looks))
		return err_set(err, rc, "%s", failure.text);
	if (rc)
		escape_line(stderr, "sis-analyze: %s", failure.text);
	if (v->cost_ns)
		v->run.now.cost_ns = v->cost_ns;
	rc = v->run.state == LIVE_ENDED ? import_whole(v, err) : 0;
	rc = rc ? rc : publish(v, err);
	int64_t spent = clock_now(CLOCK_PROCESS_CPUTIME_ID);
	v->run.now.cost_ns = v->cost_ns = spent - v->spent_ns;
	v->spent_ns = spent;
	return rc;
}

/* -- requests ---------------------------------------------------------------------------------- */

typedef void write_page(const struct page *page, FILE *out);

static enum server_status give(const struct page *page, write_page *write, const char *type,
			       struct server_answer *answer)
{
	FILE *memory = open_memstream(&answer->text, &answer->length);
	if (!memory)
		return SERVER_FAILED;
	write(page, memory);
	bool failed = ferror(memory);
	if (fclose(memory) != 0 || failed) {
		free(answer->text);
		return SERVER_FAILED;
	}
	answer->type = type;
	return SERVER_FOUND;
}

/* Finds the answer to a browser. The browser will ask again, so this also has the next page
 * made. */
static enum server_status find_locked(struct live_view *v, const char *path, uint64_t after,
				      struct server_answer *answer)
{
	const struct live_page *newest = v->newest;
	bool is_page = !*path;
	if (!is_page && strcmp(path, "data") != 0)
		return SERVER_UNKNOWN;
	v->is_wanted = true;
	pthread_cond_signal(&v->asked);
	if (is_page)
		return give(&newest->page, page_write, "text/html; charset=utf-8", answer);
	if (after >= newest->live.look)
		return SERVER_NOTHING_NEW;
	return give(&newest->page, page_write_data, "application/json", answer);
}

static enum server_status find_answer(void *arg, const char *path, uint64_t after,
			       struct server_answer *answer)
{
	struct live_view *v = arg;
	pthread_mutex_lock(&v->lock);
	enum server_status status = find_locked(v, path, after, answer);
	pthread_mutex_unlock(&v->lock);
	return status;
}

/* -- the command ------------------------------------------------------------------------------- */

static int announce(const struct live_view *v, const struct server *server, struct err *err)
{
	puts(server_address(server));
	if (stream_check(stdout, "the address", err))
		return ERR_FAILED;
	if (server_is_open(server))
		escape_line(stderr, "sis-analyze: warning: with this address the page can be read "
			    "from other machines; it is not encrypted");
	if (cli_get(&v->c->cli, "--open"))
		return browser_open(server_address(server), err);
	return 0;
}

/* Serves the page. After the run has ended, the last page is still served, so that a browser can
 * load it again. */
static int serve(struct live_view *v, const struct server_place *place, struct err *err)
{
	struct server *server;
	int rc = server_start(&server, place, find_answer, v, err);
	if (rc)
		return rc;
	rc = announce(v, server, err);
	/* Looks when a browser asks, but at most once in each interval. */
	while (rc == 0 && v->run.state == LIVE_RUNS) {
		sleep_ns(live_pause_ns(&v->run, v->interval_ns));
		pthread_mutex_lock(&v->lock);
		while (!v->is_wanted)
			pthread_cond_wait(&v->asked, &v->lock);
		pthread_mutex_unlock(&v->lock);
		rc = look(v, err);
	}
	if (rc == 0 && v->run.state == LIVE_ENDED)
		escape_line(stderr, "sis-analyze: the program has ended. Its page is served until "
			    "you end this command (Ctrl-C); `sis-analyze view %s` writes it to a "
			    "file", v->run.directory);
	while (rc == 0)
		pause();
	server_stop(server);
	return rc;
}

static int read_address(const struct cli *cli, struct server_place *place, struct err *err)
{
	const char *port = cli_get(cli, "--port");
	char *end;
	long number = port ? strtol(port, &end, 10) : 0;
	place->address = cli_get(cli, "--address");
	place->port = (uint16_t)number;
	if (port && (*port < '0' || *port > '9' || *end || number < 1 || number > UINT16_MAX))
		return err_usage(err, "view: bad --port '%s'; write a number from 1 to 65535",
				 port);
	return 0;
}

static int check_options(const struct context *c, struct err *err)
{
	static const char *const other[] = { "-o", "--group", "--seq", "--par1", "--db" };
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		if (cli_get(&c->cli, other[i]))
			return err_usage(err, "view: %s with --live, which shows one run and keeps "
					 "nothing; leave it out, or write the page without --live",
					 other[i]);
	if (c->cli.argument.n > 1)
		return err_usage(err, "view: --live with several runs; name one");
	return 0;
}

/* Begins with a first look. The argument of the command names a run that goes on, not an
 * experiment. */
static int begin(struct live_view *v, struct err *err)
{
	struct context *c = v->c;
	char *directory;
	int rc = live_target_choose(&directory, c->cli.argument.n ? c->cli.argument.at[0] : NULL,
				    err);
	if (rc)
		return rc;
	live_attach(&v->run, directory);
	free(directory);
	v->run.take = take_look;
	v->run.arg = v;
	v->run.most_percent = MOST_PERCENT;
	c->db = REPO_IN_MEMORY;
	rc = context_open(c, REPO_WRITE, err);
	return rc ? rc : look(v, err);
}

int view_live(struct context *c, size_t limit, struct err *err)
{
	struct live_view v = {
		.c = c,
		.limit = limit,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.asked = PTHREAD_COND_INITIALIZER,
	};
	struct server_place place;
	int rc = check_options(c, err);
	rc = rc ? rc : read_address(&c->cli, &place, err);
	rc = rc ? rc : select_pause(&c->cli, "view", &v.interval_ns, err);
	if (rc)
		return rc;
	live_keep_memory();
	rc = begin(&v, err);
	rc = rc ? rc : serve(&v, &place, err);
	live_page_free(v.newest);
	live_detach(&v.run);
	return rc;
}
