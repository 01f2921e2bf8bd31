/* SPDX-License-Identifier: BSD-3-Clause */
/* view_traces.c - see view_traces.h. One thread.
 *
 * If traces are too large for the page, files beside PAGE.html have them: PAGE.tiles for the first
 * experiment, PAGE-2.tiles for the second. */
#include "commands/view_traces.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "page/view/page_template.h"
#include "page/view/trace_pyramid.h"

/* Traces have at most two thirds of the bytes that the template of the page leaves. */
enum { PART = 2, OF = 3 };

/* The path of the file of experiment `number`. The caller frees it. */
static char *tiles_path(const char *path, size_t number)
{
	const char *name = strrchr(path, '/'), *end = strrchr(path, '.');
	size_t stem = end && end > (name ? name + 1 : path) ? (size_t)(end - path) : strlen(path);
	return number ? mem_print("%.*s-%zu.tiles", (int)stem, path, number + 1) :
			mem_print("%.*s.tiles", (int)stem, path);
}

/* -- what the page lacks of a trace ------------------------------------------------------------ */

/* Adds a note, which then owns `rule`. */
static void note(struct page_experiment *e, const char *what, int64_t kept, int64_t all, char *rule)
{
	*vec_push(&e->left_out) = (struct page_left_out){
		.what = mem_string(what), .kept = kept, .all = all, .rule = rule, .of_trace = true
	};
}

static void forget_notes(struct page_experiment *e)
{
	size_t n = 0;
	for (size_t i = 0; i < e->left_out.n; i++) {
		struct page_left_out *left_out = &e->left_out.at[i];
		if (left_out->of_trace)
			free(left_out->what), free(left_out->rule);
		else
			e->left_out.at[n++] = *left_out;
	}
	e->left_out.n = n;
}

static void note_levels(struct page_experiment *e)
{
	const struct page_trace *t = &e->source.trace;
	int64_t kept = 0;
	if (t->level == 0)
		return;
	for (size_t i = 0; i < t->tiles.tile.n; i++)
		if (t->tiles.tile.at[i].kind == TILE_EXACT && t->tiles.tile.at[i].level >= t->level)
			kept += t->tiles.tile.at[i].items;
	note(e, "single activations of the trace", kept, (int64_t)t->activations,
	     t->file ? mem_print("In the page, those shorter than %lld ns are merged. All are in "
				 "%s beside the page, which asks for this file.",
				 (long long)pyramid_bucket_ns(t->level), t->file) :
		       mem_print("Those shorter than %lld ns are merged. Write the page to a file "
				 "to get all.", (long long)pyramid_bucket_ns(t->level)));
}

static int64_t items_of(const struct page_trace *t, enum tile_kind a, enum tile_kind b)
{
	int64_t items = 0;
	for (size_t i = 0; i < t->tiles.tile.n; i++)
		if (t->tiles.tile.at[i].kind == a || t->tiles.tile.at[i].kind == b)
			items += t->tiles.tile.at[i].items;
	return items;
}

/* Notes that the page lacks the tiles that are needed for intervals. The page has all of these
 * tiles or none. */
static void note_apart(struct page_experiment *e, const char *what, const char *need, int64_t items)
{
	const struct page_trace *t = &e->source.trace;
	note(e, what, 0, items,
	     t->file ? mem_print("%s of an interval need them. They are in %s beside the page, "
				 "which asks for this file.", need, t->file) :
		       mem_print("%s of an interval need them. Write the page to a file to get "
				 "them.", need));
}

static void note_pieces(struct page_experiment *e)
{
	const struct page_trace *t = &e->source.trace;
	if (!t->has_pieces && t->leaves.exists)
		note_apart(e, "waits and idle times of the trace", "The overheads",
			   items_of(t, TILE_PIECES, TILE_PIECES));
	if (!t->has_operations && !t->lacks_operations)
		note_apart(e, "calls that sent or received, and single waits",
			   "The messages and waits", items_of(t, TILE_CALLS, TILE_WAITS));
}

static void note_leaves(struct page_experiment *e)
{
	const struct page_trace *t = &e->source.trace;
	if (t->lacks_operations)
		note(e, "messages and waits of intervals", 0, items_of(t, TILE_CALLS, TILE_WAITS),
		     mem_print("The page would need too many rows for them. sis-analyze "
			       "messages --from --to and waits --from --to print them."));
	if (t->exists && !t->leaves.exists)
		note(e, "overheads of intervals", 0, (int64_t)t->leaves.bookings,
		     mem_print("The page would need all bookings of the run, which are too many "
			       "(--limit). sis-analyze overhead --from --to prints them."));
}

/* -- the page's part of the traces ------------------------------------------------------------- */

size_t view_traces_room(const struct page *page)
{
	size_t template = page_template_size();
	bool exist = false;
	for (size_t i = 0; i < page->experiment.n; i++)
		exist = exist || page->experiment.at[i].source.trace.exists;
	return exist && page->limit > template ? (page->limit - template) / OF * PART : 0;
}

int view_traces_read(struct page *page, struct repo *repo, struct err *err)
{
	for (size_t i = 0; i < page->experiment.n; i++) {
		struct page_source *source = &page->experiment.at[i].source;
		if (page_trace_read(&source->trace, repo, source->experiment, err))
			return ERR_FAILED;
	}
	return 0;
}

int view_traces_fit(struct page *page, size_t room, const char *path, struct err *err)
{
	for (size_t i = 0; i < page->experiment.n; i++) {
		struct page_experiment *e = &page->experiment.at[i];
		struct page_trace *trace = &e->source.trace;
		forget_notes(e);
		if (page_trace_fit(trace, room / page->experiment.n, err))
			return ERR_FAILED;
		note_leaves(e);
		if (!page_trace_needs_file(trace))
			continue;
		if (!trace->file && strcmp(path, "-") != 0) {
			char *tiles = tiles_path(path, i), *slash = strrchr(tiles, '/');
			trace->file = mem_string(slash ? slash + 1 : tiles);
			free(tiles);
		}
		note_levels(e);
		note_pieces(e);
	}
	return 0;
}

int view_traces_write(const struct page *page, const char *path, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < page->experiment.n; i++) {
		const struct page_trace *trace = &page->experiment.at[i].source.trace;
		if (!trace->file)
			continue;
		struct whole_file file;
		char *tiles = tiles_path(path, i);
		rc = whole_file_open(&file, tiles, "-o", err);
		if (rc == 0) {
			page_trace_write_file(trace, file.out);
			rc = whole_file_close(&file, "-o", 0, err);
		}
		free(tiles);
	}
	return rc;
}
