/* SPDX-License-Identifier: BSD-3-Clause */
/* page_differences.c - chooses the largest differences and their paths (page_differences.h). Owns
 * the names. Called by one thread. */
#include "page/view/page_differences.h"

#include <stdlib.h>

static bool has_path(const struct difference_part *part) { return part->name; }

/* Tells for each path whether the page has it. It has the paths of the first `n` parts, and all
 * paths around these. The caller frees the result. */
static bool *paths_of(const struct difference_parts *parts, size_t n)
{
	bool *stays = mem_alloc(parts->path.n + 1, sizeof *stays);
	for (size_t i = 0; i < n; i++)
		if (has_path(&parts->part.at[i]))
			stays[parts->part.at[i].item] = true;
	for (size_t i = parts->path.n; i-- > 0;)
		if (stays[i] && parts->path.at[i].parent != NO_PATH)
			stays[parts->path.at[i].parent] = true;
	return stays;
}

/* Parts are ordered: the largest come first. The last one is the remainder, which has no path. */
static void add_largest(struct page_differences *to, const struct difference_parts *parts,
			int64_t pair, size_t most)
{
	size_t all = parts->part.n - 1, n = all < most ? all : most;
	bool *stays = paths_of(parts, n);
	size_t *index = mem_alloc(parts->path.n + 1, sizeof *index); /* of each path, in the page */
	for (size_t i = 0; i < parts->path.n; i++) {
		const struct difference_path *path = &parts->path.at[i];
		if (!stays[i])
			continue;
		index[i] = to->path.n;
		*vec_push(&to->path) = (struct page_path){
			.pair = pair,
			.parent = path->parent == NO_PATH ? -1 : (int64_t)index[path->parent],
			.name = mem_string(path->name), .file = mem_string(path->file),
			.line = path->line, .region = { path->region[0], path->region[1] },
		};
	}
	for (size_t i = 0; i < n; i++) {
		const struct difference_part *part = &parts->part.at[i];
		if (has_path(part))
			*vec_push(&to->difference) = (struct page_difference){
				index[part->item], part->leaf, part->a, part->b };
	}
	to->all += all;
	free(index), free(stays);
}

int page_differences_add(struct page_differences *to, struct repo *repo, const run_list *a,
			 const run_list *b, int64_t pair, size_t most, struct err *err)
{
	struct difference_parts parts = { 0 };
	int rc = difference_parts_find(&parts, repo, a, b, TIME_MEAN, true, err);
	if (rc == 0)
		add_largest(to, &parts, pair, most);
	difference_parts_release(&parts);
	return rc;
}

void page_differences_release(struct page_differences *of)
{
	for (size_t i = 0; i < of->path.n; i++)
		free(of->path.at[i].name), free(of->path.at[i].file);
	vec_free(&of->path);
	vec_free(&of->difference);
}
