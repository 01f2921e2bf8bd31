/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_view.c - `sis-analyze view`: writes an HTML file, the page, that shows experiments. This
 * source file decides what is in the page and where it is written; page/view/ makes it. One
 * thread. */
#include <stdlib.h>
#include <string.h>

#include "base/browser.h"
#include "base/escape.h"
#include "base/whole_file.h"
#include "commands/view_live.h"
#include "commands/view_page.h"
#include "commands/view_traces.h"
#include "page/view/page_template.h"

enum { LIMIT_MB = 30 };

static const struct cli_option options[] = {
	{ "-o", "FILE", "the page (default: NAME.html here); - is standard output" },
	{ "--open", NULL, "show it in your browser" },
	{ "--source", NULL,
	  "with the text of the program's files that are still as they were compiled" },
	{ "--group", "KEY,...", "curves for sets of runs, as speedup --group has them" },
	{ "--limit", "MB", "most megabytes of the page (default: 30)" },
	REFERENCE_OPTIONS,
	LIVE_OPTIONS,
	{ NULL, NULL, NULL },
};

/* -- the page ---------------------------------------------------------------------------------- */

typedef VEC(char *) name_list;

static int find_experiments(struct context *c, name_list *ids, struct err *err)
{
	size_t n = c->cli.argument.n;
	for (size_t k = 0; k < (n ? n : 1); k++) {
		int64_t id;
		if (n ? context_nth(c, k, &id, err) : context_experiment(c, &id, err))
			return ERR_FAILED;
		*vec_push(ids) = mem_print("%lld", (long long)id);
	}
	return 0;
}

/* -- the file ---------------------------------------------------------------------------------- */

/* NAME.html in the working directory; characters of the name with a meaning in paths are
 * replaced. */
static char *default_path(const char *title)
{
	enum { MOST = 100 };
	char *path = mem_print("%.*s.html", MOST, title);
	for (char *at = path; *at; at++)
		if (*at == '/' || *at == '\\' || (unsigned char)*at <= ' ')
			*at = '_';
	if (*path == '.' || *path == '-')
		*path = '_';
	return path;
}

/* Prints where the page is, and what it lacks. */
static void print_result(const struct page *page, const char *path)
{
	for (size_t i = 0; i < page->experiment.n; i++) {
		const struct page_experiment *e = &page->experiment.at[i];
		for (size_t k = 0; k < e->left_out.n; k++)
			escape_line(stderr, "sis-analyze: left out of the page: %s, %lld of %lld "
				    "kept. %s", e->left_out.at[k].what,
				    (long long)e->left_out.at[k].kept,
				    (long long)e->left_out.at[k].all, e->left_out.at[k].rule);
	}
	if (strcmp(path, "-") != 0)
		escape_line(stdout, "%s", path);
}

static int read_limit(const struct context *c, size_t *limit, struct err *err)
{
	const char *text = cli_get(&c->cli, "--limit");
	char *end;
	double mb = text ? strtod(text, &end) : LIMIT_MB;
	*limit = (size_t)(mb >= 0.1 && mb <= 1e6 ? mb * 1e6 : 0);
	if (!text || (*text >= '0' && *text <= '9' && !*end && *limit))
		return 0;
	return err_usage(err, "view: bad --limit '%s'; write megabytes, from 0.1 on", text);
}

static int write_file(struct context *c, size_t limit, struct err *err)
{
	struct page page = { .limit = limit };
	struct whole_file file;
	name_list ids = { 0 };
	int rc = find_experiments(c, &ids, err);
	rc = rc ? rc : view_page_add(c, &page, ids.at, ids.n, err);
	const char *given = cli_get(&c->cli, "-o");
	char *path = given || rc ? mem_string(given) : default_path(page.title);
	rc = rc ? rc : view_traces_read(&page, c->repo, err);
	rc = rc ? rc : view_page_make(&page, c->repo, path, err);
	rc = rc ? rc : view_traces_write(&page, path, err);
	rc = rc ? rc : whole_file_open(&file, path, "-o", err);
	if (rc == 0) {
		page_write(&page, file.out);
		rc = whole_file_close(&file, "-o", 0, err);
	}
	if (rc == 0)
		print_result(&page, path);
	if (rc == 0 && cli_get(&c->cli, "--open"))
		rc = browser_open(path, err);
	free(path);
	for (size_t i = 0; i < ids.n; i++)
		free(ids.at[i]);
	vec_free(&ids);
	page_release(&page);
	return rc;
}

static int run_view(struct context *c, struct err *err)
{
	static const char *const of_live[] = { "--interval", "--port", "--address" };
	size_t limit;
	if (!page_template_exists())
		return err_fail(err, "this sis-analyze was built without esbuild, which makes the "
				"page; install package esbuild and build it again");
	if (read_limit(c, &limit, err))
		return ERR_USAGE;
	if (cli_get(&c->cli, "--live"))
		return view_live(c, limit, err);
	for (size_t i = 0; i < sizeof of_live / sizeof *of_live; i++)
		if (cli_get(&c->cli, of_live[i]))
			return err_usage(err, "view: %s without --live; a file is not served",
					 of_live[i]);
	return write_file(c, limit, err);
}

const struct command cmd_view = {
	"view",
	"[EXP...] [-o FILE] [--open] [--source] [--group KEY,...] [--limit MB] | "
	"--live [DIR | PID] [--open]",
	"Write a page that shows experiments in a browser",
	"The page is one HTML file with all data, for current Chromium and Firefox. It opens\n"
	"from a disk and makes no request to any address, so it can be passed on; without\n"
	"scripts it shows the report. It has the sources' names and lines; it has their text\n"
	"only with --source, and only of files whose checksum is the one that was recorded when\n"
	"they were compiled. Of several experiments, it shows the differences of each two.\n"
	"If it would be larger than --limit, the call paths with the least time are left out,\n"
	"and their time counts for their callers; the page says so. A trace takes at most two\n"
	"thirds of it. Of a longer one, the page has coarse levels of detail, and FILE.tiles\n"
	"beside it has all events; the page asks for that file.\n"
	"With --live the page is that of a program that runs: DIR is the directory of the run,\n"
	"PID one of its processes; without them, the newest run in the working directory. The\n"
	"page is served at the address that is printed, which has a random key and is reached\n"
	"from this machine only, unless --address says otherwise. The page takes new numbers\n"
	"each second. Looks take at most 5 % of one processor: if one takes long, the next one\n"
	"is later. Without an open page nothing looks at the run. With --open, other users of\n"
	"this machine can see the address in the list of processes. The run is classified up to\n"
	"now; variables and the time line come when it has ended.\n"
	"Example: sis-analyze view sis-stommel-20261121-101500-4711 --open",
	options,
	SIZE_MAX,
	run_view,
};
