/* SPDX-License-Identifier: BSD-3-Clause */
/* view_traces.c - see view_traces.h. One thread.
 *
 * PAGE.html has PAGE.tiles beside it, and PAGE-2.tiles for its second experiment, if their traces
 * are too large for the page. */
#include "commands/view_traces.h"

#include <stdlib.h>
#include <string.h>

#include "commands/whole_file.h"
#include "view/page_template.h"
#include "view/trace_pyramid.h"

/* Two thirds of what the template leaves are for traces. */
enum { PART = 2, OF = 3 };

static size_t room_of_each(const struct page *page)
{
	size_t template = page_template_size(), n = page->experiment.n ? page->experiment.n : 1;
	return page->limit > template ? (page->limit - template) / OF * PART / n : 0;
}

/* The caller frees it. */
static char *tiles_path(const char *path, size_t number)
{
	const char *name = strrchr(path, '/'), *end = strrchr(path, '.');
	size_t stem = end && end > (name ? name + 1 : path) ? (size_t)(end - path) : strlen(path);
	return number ? mem_print("%.*s-%zu.tiles", (int)stem, path, number + 1) :
			mem_print("%.*s.tiles", (int)stem, path);
}

static char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return mem_string(slash ? slash + 1 : path);
}

/* What the page itself lacks. */
static void note_levels(struct page_experiment *e)
{
	const struct page_trace *t = &e->source.trace;
	int64_t kept = 0;
	if (t->level == 0)
		return;
	for (size_t i = 0; i < t->tiles.tile.n; i++)
		if (t->tiles.tile.at[i].kind == TILE_EXACT && t->tiles.tile.at[i].level >= t->level)
			kept += t->tiles.tile.at[i].items;
	*vec_push(&e->left_out) = (struct page_left_out){
		mem_string("single activations of the trace"), kept, (int64_t)t->activations,
		t->file ? mem_print("In the page, those shorter than %lld ns are merged. All are "
				    "in %s beside the page, which asks for this file.",
				    (long long)pyramid_bucket_ns(t->level), t->file) :
			  mem_print("Those shorter than %lld ns are merged. Write the page to a "
				    "file to get all.", (long long)pyramid_bucket_ns(t->level))
	};
}

static void note_pieces(struct page_experiment *e)
{
	const struct page_trace *t = &e->source.trace;
	int64_t all = 0;
	if (t->has_pieces || !t->leaves.exists)
		return;
	for (size_t i = 0; i < t->tiles.tile.n; i++)
		if (t->tiles.tile.at[i].kind == TILE_PIECES)
			all += t->tiles.tile.at[i].items;
	*vec_push(&e->left_out) = (struct page_left_out){
		mem_string("waits and idle times of the trace"), 0, all,
		t->file ? mem_print("The overheads of an interval need them. They are in %s "
				    "beside the page, which asks for this file.", t->file) :
			  mem_string("The overheads of an interval need them. Write the page to a "
				     "file to get them.")
	};
}

static void note_leaves(struct page_experiment *e)
{
	const struct page_trace *t = &e->source.trace;
	if (t->exists && !t->leaves.exists)
		*vec_push(&e->left_out) = (struct page_left_out){
			mem_string("overheads of intervals"), 0, (int64_t)t->leaves.bookings,
			mem_string("The page would need all bookings of the run, which are too "
				   "many (--limit). sis-analyze overhead --from --to prints them.")
		};
}

int view_traces_add(struct page *page, struct repo *repo, const char *path, struct err *err)
{
	size_t room = room_of_each(page);
	for (size_t i = 0; i < page->experiment.n; i++) {
		struct page_experiment *e = &page->experiment.at[i];
		struct page_trace *trace = &e->source.trace;
		if (page_trace_make(trace, repo, e->source.experiment, room, err))
			return ERR_FAILED;
		note_leaves(e);
		if (!page_trace_needs_file(trace))
			continue;
		if (strcmp(path, "-") != 0) {
			char *tiles = tiles_path(path, i);
			trace->file = base_name(tiles);
			free(tiles);
		}
		note_levels(e);
		note_pieces(e);
	}
	return 0;
}

static int write_one(const struct page_trace *trace, const char *path, struct err *err)
{
	struct whole_file file;
	if (whole_file_open(&file, path, "-o", err))
		return ERR_FAILED;
	page_trace_write_file(trace, file.out);
	return whole_file_close(&file, "-o", 0, err);
}

int view_traces_write(const struct page *page, const char *path, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < page->experiment.n; i++) {
		const struct page_trace *trace = &page->experiment.at[i].source.trace;
		if (!trace->file)
			continue;
		char *tiles = tiles_path(path, i);
		rc = write_one(trace, tiles, err);
		free(tiles);
	}
	return rc;
}
