/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_view.c - `sis-analyze view`: one HTML file that shows experiments. This file decides what is
 * in it and where it is written; view/ makes it. One thread. */
#include <stdlib.h>
#include <string.h>

#include "base/browser.h"
#include "base/buf.h"
#include "base/escape.h"
#include "commands/command.h"
#include "commands/command_output.h"
#include "commands/view_traces.h"
#include "commands/page_pairs.h"
#include "commands/source_thread.h"
#include "commands/whole_file.h"
#include "view/page.h"
#include "view/page_statements.h"
#include "view/page_template.h"

enum { LIMIT_MB = 30 };

static const struct cli_option options[] = {
	{ "-o", "FILE", "the page (default: NAME.html here); - is standard output" },
	{ "--open", NULL, "show it in your browser" },
	{ "--source", NULL,
	  "with the text of the program's files that are still as they were compiled" },
	{ "--group", "KEY,...", "curves for sets of runs, as speedup --group has them" },
	{ "--limit", "MB", "most megabytes of the page (default: 30)" },
	REFERENCE_OPTIONS,
	{ NULL, NULL, NULL },
};

/* -- documents --------------------------------------------------------------------------------- */

struct view_document { const struct command *command; const char *option; };

/* of each experiment, beside the report */
static const struct view_document documents[] = {
	{ &cmd_overhead, NULL },
	{ &cmd_suggest_filter, NULL },
};
/* of all together */
static const struct view_document common_documents[] = {
	{ &cmd_speedup, NULL },
	{ &cmd_speedup, "--regions" },
	{ &cmd_speedup, "--efficiencies" },
};
#define COUNT(list) (sizeof list / sizeof *list)

/* A larger document is left out: the tables have its numbers, too. */
enum { DOCUMENT_PART = 8 };

static char *document_name(const struct view_document *d)
{
	return d->option ? mem_print("%s %s", d->command->name, d->option) :
			   mem_string(d->command->name);
}

typedef VEC(const char *) word_list;

/* The command line: experiments, the document's option, and which reference runs the user named. */
static word_list command_words(const struct context *c, const struct view_document *d,
			       char *const *name, size_t names)
{
	static const char *const passed[] = { "--seq", "--par1", "--group" };
	word_list words = { 0 };
	for (size_t i = 0; i < names; i++)
		*vec_push(&words) = name[i];
	if (d->option)
		*vec_push(&words) = d->option;
	for (size_t i = 0; i < COUNT(passed); i++)
		if (cli_get(&c->cli, passed[i]) && cli_find(d->command->options, passed[i])) {
			*vec_push(&words) = passed[i];
			*vec_push(&words) = cli_get(&c->cli, passed[i]);
		}
	return words;
}

/* What a command prints as JSON. False: it has nothing to say about these experiments. */
static bool make_document(struct context *c, const struct view_document *d, char *const *name,
			  size_t names, struct page_document *document)
{
	struct err ignored = { 0 };
	word_list words = command_words(c, d, name, names);
	int rc = command_output(c, d->command, FORMAT_JSON, words.at, words.n, &document->json,
				&document->length, &ignored);
	vec_free(&words);
	document->name = document_name(d);
	if (rc)
		free(document->name), free(document->json);
	return rc == 0;
}

static void leave_out(struct page_experiment *e, struct page_document *document)
{
	*vec_push(&e->left_out) = (struct page_left_out){
		document->name, 0, (int64_t)document->length,
		mem_string("What a command prints is left out if it is more than an eighth of the "
			   "page (--limit).")
	};
	free(document->json);
}

static void add_documents(struct context *c, struct page *page, struct page_experiment *e,
			  char *name)
{
	for (size_t i = 0; i < COUNT(documents); i++) {
		struct page_document document;
		if (!make_document(c, &documents[i], &name, 1, &document))
			continue;
		if (document.length > page->limit / DOCUMENT_PART)
			leave_out(e, &document);
		else
			*vec_push(&e->document) = document;
	}
}

static void add_common_documents(struct context *c, struct page *page, char *const *name,
				 size_t names)
{
	for (size_t i = 0; names > 1 && i < COUNT(common_documents); i++) {
		struct page_document document;
		if (make_document(c, &common_documents[i], name, names, &document))
			*vec_push(&page->document) = document;
	}
}

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

/* The experiment's name; the caller frees it. */
static int experiment_name(struct context *c, const char *id, char **name, struct err *err)
{
	static const struct column columns[] = { { "name", NULL, CELL_TEXT } };
	struct table table;
	table_init(&table, columns, 1);
	int rc = repo_fill(c->repo, &table, err, "SELECT name FROM experiment WHERE id = ?", "t",
			   id);
	*name = mem_string(table_rows(&table) ? table_cell(&table, 0, 0)->text : id);
	table_release(&table);
	return rc;
}

/* The report as a document, and as text of the page. */
static int add_report(struct context *c, struct page *page, struct page_experiment *e, char *id,
		      struct err *err)
{
	const struct view_document report = { &cmd_report_both, NULL };
	struct page_document document = { .name = document_name(&report) };
	word_list words = command_words(c, &report, &id, 1);
	int rc = command_output(c, &cmd_report_both, FORMAT_JSON, words.at, words.n,
				&document.json, &document.length, err);
	size_t json = strlen(document.json);
	char *text = mem_print("%s%s%s", page->report ? page->report : "", page->report ? "\n" : "",
			       json < document.length ? document.json + json + 1 : "");
	free(page->report);
	page->report = text;
	document.length = json;
	*vec_push(&e->document) = document;
	vec_free(&words);
	return rc;
}

/* Names of the experiments. */
static int add_title(struct context *c, struct page *page, const name_list *ids, struct err *err)
{
	struct buf title = { 0 };
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < ids->n; i++) {
		char *name;
		rc = experiment_name(c, ids->at[i], &name, err);
		char *shown = escape_text(name, SIS_ESCAPE_NAME);
		buf_print(&title, "%s%s", i ? ", " : "", shown);
		free(name), free(shown);
	}
	page->title = buf_take(&title);
	return rc;
}

/* What measuring costs on the machine of an experiment: its newest calibration, if there is one. */
static void add_calibration(struct context *c, struct page_experiment *e)
{
	static const char sql[] =
		"SELECT coalesce(max(c.id), 0) "
		"FROM experiment e "
		"JOIN node n ON n.virtual_machine = e.virtual_machine "
		"JOIN calibration c ON c.physical_machine = n.physical_machine "
		"WHERE e.id = ?1";
	const struct view_document calibration = { &cmd_calibrate, NULL };
	struct err ignored = { 0 };
	struct page_document document;
	int64_t id = 0;
	if (repo_number(c->repo, &id, &ignored, sql, "i", e->source.experiment) != 1 || !id)
		return;
	char *number = mem_print("%lld", (long long)id);
	if (make_document(c, &calibration, &number, 1, &document))
		*vec_push(&e->document) = document;
	free(number);
}

static int note_points(struct context *c, struct page_experiment *e, struct err *err)
{
	int64_t n = 0, all = 0;
	if (repo_number(c->repo, &n, err, page_points_left_out, "i", e->source.experiment) < 0 ||
	    repo_number(c->repo, &all, err, "SELECT count(*) FROM blame_point WHERE experiment = ?",
			"i", e->source.experiment) < 0)
		return ERR_FAILED;
	if (n)
		*vec_push(&e->left_out) = (struct page_left_out){
			mem_string("blame points"), all - n, all,
			mem_string("Those with less than 0.1 % of the samples are left out, except "
				   "those that `sis-analyze blame` shows.")
		};
	return 0;
}

/* Its tables are loaded while commands run. */
static int add_experiment(struct context *c, struct page *page, struct page_experiment *e, char *id,
			  struct err *err)
{
	bool embed = cli_get(&c->cli, "--source");
	struct source_thread thread;
	e->source.experiment = strtoll(id, NULL, 10);
	source_thread_start(&thread, c->repo, e->source.experiment);
	int rc = note_points(c, e, err);
	rc = rc ? rc : add_report(c, page, e, id, err);
	if (rc == 0) {
		add_documents(c, page, e, id);
		add_calibration(c, e);
	}
	int loaded = source_thread_join(&thread, &e->source, c->repo, err);
	rc = rc ? rc : loaded;
	return rc ? rc :
		    page_files_load(&e->source.files, c->repo, e->source.experiment, embed,
				    page->limit, err);
}

static int add_experiments(struct context *c, struct page *page, const name_list *ids,
			   struct err *err)
{
	for (size_t i = 0; i < ids->n; i++)
		if (add_experiment(c, page, vec_push(&page->experiment), ids->at[i], err))
			return ERR_FAILED;
	add_common_documents(c, page, ids->at, ids->n);
	return page_pairs_add(c, page, ids->at, err);
}

/* -- the file ---------------------------------------------------------------------------------- */

/* NAME.html in the working directory, without characters that mean something in paths. */
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

static int write_page(const struct page *page, const char *path, struct err *err)
{
	struct whole_file file;
	if (whole_file_open(&file, path, "-o", err))
		return ERR_FAILED;
	page_write(page, file.out);
	return whole_file_close(&file, "-o", 0, err);
}

/* Says where the page is, and what is not in it. */
static void print_result(const struct context *c, const struct page *page, const char *path)
{
	(void)c;
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

static int run(struct context *c, struct err *err)
{
	struct page page = { 0 };
	name_list ids = { 0 };
	if (!page_template_exists())
		return err_fail(err, "this sis-analyze was built without esbuild, which makes the "
				"page; install package esbuild and build it again");
	int rc = read_limit(c, &page.limit, err);
	rc = rc ? rc : find_experiments(c, &ids, err);
	rc = rc ? rc : add_title(c, &page, &ids, err);
	rc = rc ? rc : add_experiments(c, &page, &ids, err);
	const char *given = cli_get(&c->cli, "-o");
	char *path = given || rc ? mem_string(given) : default_path(page.title);
	rc = rc ? rc : view_traces_add(&page, c->repo, path, err);
	rc = rc ? rc : page_make(&page, c->repo, err);
	rc = rc ? rc : view_traces_write(&page, path, err);
	rc = rc ? rc : write_page(&page, path, err);
	if (rc == 0)
		print_result(c, &page, path);
	if (rc == 0 && cli_get(&c->cli, "--open"))
		rc = browser_open(path, err);
	free(path);
	for (size_t i = 0; i < ids.n; i++)
		free(ids.at[i]);
	vec_free(&ids);
	page_release(&page);
	return rc;
}

const struct command cmd_view = {
	"view",
	"[EXP...] [-o FILE] [--open] [--source] [--group KEY,...] [--limit MB]",
	"Write a page that shows experiments in a browser",
	"The page is one HTML file with all data, for current Chromium and Firefox. It opens\n"
	"from a disk and makes no request to any address, so it can be passed on; without\n"
	"scripts it shows the report. It has the sources' names and lines; it has their text\n"
	"only with --source, and only of files whose checksum is the one that was recorded when\n"
	"they were compiled. Of several experiments, it shows the differences of each two.\n"
	"If it would be larger than --limit, the call paths with the least time are left out,\n"
	"and their time counts for their callers; the page says so. A trace takes at most two\n"
	"thirds of it. Of a longer one, the page has coarse levels of detail, and FILE.tiles\n"
	"beside it has all events: view Time asks for that file.\n"
	"Example: sis-analyze view sis-stommel-20261121-101500-4711 --open",
	options,
	SIZE_MAX,
	run,
};
