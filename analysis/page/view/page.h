/* SPDX-License-Identifier: BSD-3-Clause */
/* page.h - one HTML file that shows experiments: the template of analysis/page/web, and their data.
 *
 *   page -- documents      JSON that commands print about all experiments together
 *        `- experiments    -- documents   JSON that commands print about this one
 *                          `- source      its tables
 *
 * A page that would be larger than its limit has fewer nodes of the call graphs, and says so. */
#ifndef SIS_ANALYSIS_PAGE_H
#define SIS_ANALYSIS_PAGE_H

#include "page/view/page_source.h"

/* JSON that a command printed. `name` is the command line without the experiment and --json. */
struct page_document { char *name, *json; size_t length; };

/* A note about what the page lacks. of_trace: the note is about the trace. It is replaced when the
 * page gets a larger or smaller part of the trace. */
struct page_left_out { char *what; int64_t kept, all; char *rule; bool of_trace; };

struct page_experiment {
	struct page_source source;
	VEC(struct page_document) document;
	VEC(struct page_left_out) left_out;
};

/* What a live page says about its look. */
struct page_live {
	uint64_t look;           /* number of the look; the first one is 1 */
	int64_t interval_ns;     /* time until the next look */
	int64_t cost_ns;         /* CPU time of the look */
	const char *state;       /* runs, ended or gone */
	size_t running, processes;
};

struct page {
	const struct page_live *live; /* NULL if the page is written once */
	char *title;
	char *report;    /* text for readers without scripts */
	size_t limit;    /* bytes */
	VEC(struct page_experiment) experiment;
	VEC(struct page_document) document;
	/* made by page_make */
	struct page_blocks blocks;
	char *index;     /* JSON */
	size_t index_length;
};

/* Encodes the tables, and leaves out nodes until the page is within its limit. If the page is still
 * too large when no more nodes can be left out, *excess is the number of bytes beyond the limit.
 * Otherwise *excess is 0. May be called again. */
int page_make(struct page *page, struct repo *repo, size_t *excess, struct err *err);
/* The caller checks errors of `out`. */
void page_write(const struct page *page, FILE *out);
/* Writes only the data, as a live page reads them to replace its own:
 * {"index": ..., "blocks": [...]}. */
void page_write_data(const struct page *page, FILE *out);
void page_release(struct page *page);

/* The page's directory (analysis/page/web/data/index.ts), with the blocks of its tables. */
int page_index_write(struct page *page, struct repo *repo, FILE *out, struct err *err);

#endif
