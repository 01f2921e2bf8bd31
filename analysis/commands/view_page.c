/* SPDX-License-Identifier: BSD-3-Clause */
/* view_page.c - collects the contents of the page of experiments: tables, and the output of
 * commands. page/view/ makes the page from these. One thread. */
#include "commands/view_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "commands/command_output.h"
#include "commands/page_pairs.h"
#include "commands/source_thread.h"
#include "commands/view_traces.h"
#include "page/view/page_statements.h"

/* -- documents --------------------------------------------------------------------------------- */

struct view_document { const struct command *command; const char *option; };

/* documents of each experiment, in addition to the report */
static const struct view_document documents[] = {
	{ &cmd_overhead, NULL },
	{ &cmd_suggest_filter, NULL },
};
/* documents about all experiments together */
static const struct view_document common_documents[] = {
	{ &cmd_speedup, NULL },
	{ &cmd_speedup, "--regions" },
	{ &cmd_speedup, "--efficiencies" },
};
#define COUNT(list) (sizeof list / sizeof *list)

/* A document of more than page->limit / DOCUMENT_PART bytes is left out: the tables have its
 * numbers, too. */
enum { DOCUMENT_PART = 8 };

static char *document_name(const struct view_document *d)
{
	return d->option ? mem_print("%s %s", d->command->name, d->option) :
			   mem_string(d->command->name);
}

typedef VEC(const char *) word_list;

/* The command line of a document: experiments, its option, and the reference runs that the user
 * named. */
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

/* Makes a document of what a command prints as JSON. Returns false if the command fails for these
 * experiments. */
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

static void leave_out(struct page_experiment *e, struct page_document *document, const char *rule)
{
	*vec_push(&e->left_out) = (struct page_left_out){
		.what = document->name, .kept = 0, .all = (int64_t)document->length,
		.rule = mem_string(rule)
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
			leave_out(e, &document,
				  "What a command prints is left out if it is more than an eighth "
				  "of the page (--limit).");
		else
			*vec_push(&e->document) = document;
	}
}

/* -- the page ---------------------------------------------------------------------------------- */

/* Adds the report as a document, and as text of the page. */
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

/* Makes the title from the names of the experiments. */
static int add_title(struct context *c, struct page *page, char *const *id, size_t ids,
		     struct err *err)
{
	static const struct column columns[] = { { "name", NULL, CELL_TEXT } };
	struct buf title = { 0 };
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < ids; i++) {
		struct table table;
		table_init(&table, columns, 1);
		rc = repo_fill(c->repo, &table, err, "SELECT name FROM experiment WHERE id = ?", "t",
			       id[i]);
		const char *name = table_rows(&table) ? table_cell(&table, 0, 0)->text : id[i];
		char *shown = escape_text(name, SIS_ESCAPE_NAME);
		buf_print(&title, "%s%s", i ? ", " : "", shown);
		free(shown);
		table_release(&table);
	}
	page->title = buf_take(&title);
	return rc;
}

/* Adds the newest calibration of the machine of an experiment, if there is one. */
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
			.what = mem_string("blame points"), .kept = all - n, .all = all,
			.rule = mem_string("Those with less than 0.1 % of the samples are left "
					   "out, except those that `sis-analyze blame` shows.")
		};
	return 0;
}

/* Adds an experiment. Its tables are loaded while commands run. */
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

int view_page_add(struct context *c, struct page *page, char *const *id, size_t ids,
		  struct err *err)
{
	if (add_title(c, page, id, ids, err))
		return ERR_FAILED;
	for (size_t i = 0; i < ids; i++)
		if (add_experiment(c, page, vec_push(&page->experiment), id[i], err))
			return ERR_FAILED;
	for (size_t i = 0; ids > 1 && i < COUNT(common_documents); i++) {
		struct page_document document;
		if (make_document(c, &common_documents[i], id, ids, &document))
			*vec_push(&page->document) = document;
	}
	return page_pairs_add(c, page, id, err);
}

/* Leaves out the largest document of an experiment, but never a report. Returns false if only
 * reports are left. */
static bool leave_out_largest(struct page *page)
{
	struct page_experiment *of = NULL;
	size_t largest = 0;
	for (size_t i = 0; i < page->experiment.n; i++) {
		struct page_experiment *e = &page->experiment.at[i];
		for (size_t k = 1; k < e->document.n; k++) /* document 0 is the report */
			if (!of || e->document.at[k].length > of->document.at[largest].length) {
				of = e;
				largest = k;
			}
	}
	if (!of)
		return false;
	leave_out(of, &of->document.at[largest],
		  "What commands print is left out, the largest first, until the page is within "
		  "--limit.");
	of->document.at[largest] = of->document.at[--of->document.n];
	return true;
}

int view_page_make(struct page *page, struct repo *repo, const char *path, struct err *err)
{
	size_t room = view_traces_room(page), excess;
	for (;;) {
		if (view_traces_fit(page, room, path, err) || page_make(page, repo, &excess, err))
			return ERR_FAILED;
		if (!excess)
			return 0;
		if (room)
			room = room > 2 * excess ? room - excess : room / 2;
		else if (!leave_out_largest(page))
			return err_fail(err, "the page needs %.1f MB without all that can be left "
					"out; raise --limit",
					(double)(page->limit + excess) / 1e6);
	}
}
