/* SPDX-License-Identifier: BSD-3-Clause */
/* page_pairs.c - see page_pairs.h. Owns the runs; one thread. The document has
 *
 *   overheads  what `sis-analyze compare` prints about all experiments
 *   series     of each series: its runs, as rows of the page's experiments, and p
 *   pairs      of each pair: its two series, the experiment whose tables have the differences by
 *              call path, and what `sis-analyze compare A1,A2 B1,B2` prints with --regions and
 *              with --parts
 */
#include "commands/page_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "commands/command_output.h"
#include "answers/query/runs.h"

/* most rows for a pair. MOST_DIFFERENCES: differences by call path. MOST_PARTS: rows of --parts,
 * the largest ones */
#define MOST_DIFFERENCES 200000
#define MOST_PARTS "200"
/* With at most this many series, all are compared with each other; with more, each is compared with
 * the first one only */
enum { MOST_SERIES = 5 };

struct series {
	run_list runs;          /* texts belong to `pairs.all` */
	VEC(size_t) experiment; /* rows of the page */
};
struct pairs {
	struct context *c;
	struct page *page;
	char *const *ids;
	run_list all;      /* by row of the page */
	VEC(struct series) series;
	bool any_application;
	struct json json;
};

/* -- series ------------------------------------------------------------------------------------ */

static struct series *series_of(struct pairs *p, const struct run *run, bool repeats)
{
	for (size_t i = 0; repeats && i < p->series.n; i++)
		if (runs_repeat(run, &p->series.at[i].runs.at[0]))
			return &p->series.at[i];
	return vec_push(&p->series);
}

static void release_series(struct pairs *p)
{
	for (size_t i = 0; i < p->series.n; i++) {
		vec_free(&p->series.at[i].runs);
		vec_free(&p->series.at[i].experiment);
	}
	vec_free(&p->series);
}

/* Whether an earlier row of the page is the same experiment. The user may name an experiment twice;
 * its second row is in no series. */
static bool is_again(const struct pairs *p, size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (p->all.at[i].id == p->all.at[row].id)
			return true;
	return false;
}

static void make_series(struct pairs *p, bool repeats)
{
	release_series(p);
	for (size_t i = 0; i < p->all.n; i++) {
		if (is_again(p, i))
			continue;
		struct series *series = series_of(p, &p->all.at[i], repeats);
		*vec_push(&series->runs) = p->all.at[i];
		*vec_push(&series->experiment) = i;
	}
}

/* -- pairs ------------------------------------------------------------------------------------- */

/* The runs of a series as an argument of a command, such as "1,2". The caller frees it. */
static char *series_argument(const struct pairs *p, const struct series *series)
{
	struct buf text = { 0 };
	for (size_t i = 0; i < series->experiment.n; i++)
		buf_print(&text, "%s%s", i ? "," : "", p->ids[series->experiment.at[i]]);
	return buf_take(&text);
}

/* Writes what `compare` prints as JSON for these words of its command line. */
static int compare_json(struct pairs *p, const char *key, char *const *argument, size_t arguments,
			const char *const *option, size_t options, struct err *err)
{
	VEC(const char *) word = { 0 };
	size_t length;
	char *text;
	for (size_t i = 0; i < arguments + options; i++)
		*vec_push(&word) = i < arguments ? argument[i] : option[i - arguments];
	if (p->any_application)
		*vec_push(&word) = "--any-application";
	int rc = command_output(p->c, &cmd_compare, FORMAT_JSON, word.at, word.n, &text, &length,
				err);
	vec_free(&word);
	json_key(&p->json, key);
	if (rc == 0)
		json_verbatim(&p->json, text);
	else
		json_null(&p->json);
	free(text);
	return rc;
}

static int add_differences(struct pairs *p, const struct series *a, const struct series *b,
			   int64_t pair, struct err *err)
{
	struct page_experiment *e = &p->page->experiment.at[b->experiment.at[0]];
	struct page_differences *d = &e->source.differences;
	size_t kept = d->difference.n, all = d->all;
	if (page_differences_add(d, p->c->repo, &a->runs, &b->runs, pair, MOST_DIFFERENCES, err))
		return ERR_FAILED;
	kept = d->difference.n - kept, all = d->all - all;
	if (kept < all)
		*vec_push(&e->left_out) = (struct page_left_out){
			.what = mem_print("differences from %s", a->runs.at[0].name),
			.kept = (int64_t)kept, .all = (int64_t)all,
			.rule = mem_string("The smallest differences of call paths are left out.")
		};
	return 0;
}

static int add_pair(struct pairs *p, size_t a, size_t b, int64_t number, struct err *err)
{
	static const char *const regions[] = { "--regions" },
				*const parts[] = { "--parts", "--top", MOST_PARTS };
	const struct series *series[2] = { &p->series.at[a], &p->series.at[b] };
	char *argument[2] = { series_argument(p, series[0]), series_argument(p, series[1]) };
	json_open(&p->json, '{');
	json_field_integer(&p->json, "a", (int64_t)a);
	json_field_integer(&p->json, "b", (int64_t)b);
	json_field_integer(&p->json, "experiment", (int64_t)series[1]->experiment.at[0]);
	int rc = compare_json(p, "regions", argument, 2, regions, 1, err);
	rc = rc ? rc : compare_json(p, "parts", argument, 2, parts, 3, err);
	rc = rc ? rc : add_differences(p, series[0], series[1], number, err);
	json_close(&p->json, '}');
	free(argument[0]), free(argument[1]);
	return rc;
}

static int write_pairs(struct pairs *p, FILE *out, struct err *err)
{
	int rc = 0;
	int64_t number = 0;
	json_init(&p->json, out);
	json_open(&p->json, '{');
	json_field_bool(&p->json, "any_application", p->any_application);
	rc = compare_json(p, "overheads", p->ids, p->all.n, NULL, 0, err);
	json_field_open(&p->json, "series", '[');
	for (size_t i = 0; i < p->series.n; i++) {
		const struct series *series = &p->series.at[i];
		json_open(&p->json, '{');
		json_field_open(&p->json, "experiments", '[');
		for (size_t k = 0; k < series->experiment.n; k++)
			json_integer(&p->json, (int64_t)series->experiment.at[k]);
		json_close(&p->json, ']');
		json_field_integer(&p->json, "p", series->runs.at[0].p);
		json_close(&p->json, '}');
	}
	json_close(&p->json, ']');
	json_field_open(&p->json, "pairs", '[');
	for (size_t a = 0; rc == 0 && a < p->series.n; a++)
		for (size_t b = a + 1; rc == 0 && b < p->series.n; b++)
			if (a == 0 || p->series.n <= MOST_SERIES)
				rc = add_pair(p, a, b, number++, err);
	json_close(&p->json, ']');
	json_close(&p->json, '}');
	return rc;
}

static int add_document(struct pairs *p, struct err *err)
{
	struct page_document document = { mem_string("compare --pairs"), NULL, 0 };
	FILE *memory = open_memstream(&document.json, &document.length);
	int rc = memory ? write_pairs(p, memory, err) :
			  err_fail(err, "out of memory; analyze on a machine with more");
	if (memory)
		fclose(memory);
	if (rc)
		free(document.name), free(document.json);
	else
		*vec_push(&p->page->document) = document;
	return rc;
}

int page_pairs_add(struct context *c, struct page *page, char *const *ids, struct err *err)
{
	struct pairs p = { .c = c, .page = page, .ids = ids };
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < page->experiment.n; i++) {
		struct run run;
		rc = run_load(&run, c->repo, page->experiment.at[i].source.experiment, NULL, err);
		if (rc)
			break;
		*vec_push(&p.all) = run;
		p.any_application |= strcmp(run.application, p.all.at[0].application) != 0;
	}
	make_series(&p, true);
	if (p.series.n == 1)
		make_series(&p, false);
	if (rc == 0 && p.series.n > 1)
		rc = add_document(&p, err);
	release_series(&p);
	runs_release(&p.all);
	return rc;
}
