// SPDX-License-Identifier: BSD-3-Clause
/* anchors.c - owns the sorted anchors and the names of units and files, for position.c.
 *
 * Names are compared as absolute paths. Users may tell compilers to write other directories into
 * debug information (-ffile-prefix-map). So if no path is equal, the unit or file is found by its
 * base name, provided that only one path has this base name. */
#include "blame/place/anchors.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/sort.h"
#include "experiment/read/profile_read.h"

#define SEVERAL (NONE - 1)

/* -- names of units and files ------------------------------------------------------------------ */

static char *full_path(const char *path, const char *directory)
{
	char *full = path_absolute(directory, path);
	return full ? full : mem_string(path);
}

static uint32_t add_path(struct anchor_paths *paths, const char *path, const char *directory)
{
	char *full = full_path(path, directory);
	uint32_t id = strmap_put(&paths->path, full, paths->path.n, NULL);
	uint32_t base = strmap_put(&paths->base, path_base(full), paths->base.n, NULL);
	if (base == paths->path_of_base.n)
		*vec_push(&paths->path_of_base) = id;
	else if (paths->path_of_base.at[base] != id)
		paths->path_of_base.at[base] = SEVERAL;
	free(full);
	return id;
}

static uint32_t find_path(const struct anchor_paths *paths, const char *path,
			  const char *directory)
{
	char *full = full_path(path, directory);
	uint32_t id = strmap_get(&paths->path, full);
	if (id == MAP_NONE) {
		uint32_t base = strmap_get(&paths->base, path_base(full));
		id = base == MAP_NONE ? NONE : paths->path_of_base.at[base];
	}
	free(full);
	return id == SEVERAL ? NONE : id;
}

void anchors_add_unit(struct anchors *a, const char *path, const char *directory)
{
	*vec_push(&a->unit) = add_path(&a->source, path, directory);
}

uint32_t anchors_add_file(struct anchors *a, const char *path, const char *directory)
{
	return add_path(&a->file, path, directory);
}

uint32_t anchors_unit(const struct anchors *a, const char *path, const char *directory,
		      uint32_t from)
{
	uint32_t source = find_path(&a->source, path, directory);
	for (; source != NONE && from < a->unit.n; from++)
		if (a->unit.at[from] == source)
			return from;
	return NONE;
}

uint32_t anchors_file(const struct anchors *a, const char *path, const char *directory)
{
	return find_path(&a->file, path, directory);
}

/* -- sorting anchors --------------------------------------------------------------------------- */

static int compare(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int by_position(const void *a, const void *b)
{
	const struct anchor *x = a, *y = b;
	int c = compare(x->unit, y->unit);
	c = c ? c : compare(x->file, y->file);
	c = c ? c : compare(x->line, y->line);
	return c ? c : compare(x->column, y->column);
}

static int by_all(const void *a, const void *b)
{
	const struct anchor *x = a, *y = b;
	int c = by_position(a, b);
	c = c ? c : compare(x->function, y->function);
	return c ? c : compare(x->target, y->target);
}

void anchors_add(struct anchors *a, const struct anchor *anchor)
{
	*vec_push(&a->anchor) = *anchor;
}

/* Sorts the anchors, and removes duplicates. */
void anchors_sort(struct anchors *a)
{
	size_t n = 0;
	if (!a->anchor.n)
		return;
	qsort(a->anchor.at, a->anchor.n, sizeof *a->anchor.at, by_all);
	for (size_t i = 0; i < a->anchor.n; i++)
		if (!n || by_all(&a->anchor.at[n - 1], &a->anchor.at[i]) != 0)
			a->anchor.at[n++] = a->anchor.at[i];
	a->anchor.n = n;
}

void anchors_release(struct anchors *a)
{
	vec_free(&a->anchor);
	vec_free(&a->unit);
	for (int i = 0; i < 2; i++) {
		struct anchor_paths *paths = i ? &a->file : &a->source;
		strmap_free(&paths->path);
		strmap_free(&paths->base);
		vec_free(&paths->path_of_base);
	}
}

/* -- look-up ----------------------------------------------------------------------------------- */

/* The number of anchors whose position is before that of `key`. */
static size_t lower(const struct anchors *a, const struct anchor *key)
{
	return search_first(i, 0, a->anchor.n, by_position(&a->anchor.at[i], key) < 0);
}

/* The anchors from position `first` up to, but without, position `end`. */
static struct anchor_run between(const struct anchors *a, const struct anchor *first,
				 const struct anchor *end)
{
	size_t low = lower(a, first), high = lower(a, end);
	return (struct anchor_run){ a->anchor.at + low, high - low };
}

struct anchor_run anchors_at(const struct anchors *a, uint32_t unit, uint32_t file, uint32_t line,
			     uint32_t column)
{
	struct anchor key = { unit, file, line, column, 0, 0 }, end = key;
	end.column++;
	return between(a, &key, &end);
}

struct anchor_run anchors_of_line(const struct anchors *a, uint32_t unit, uint32_t file,
				  uint32_t line)
{
	struct anchor key = { unit, file, line, 0, 0, 0 }, end = key;
	end.line++;
	return between(a, &key, &end);
}

const struct anchor *anchors_before(const struct anchors *a, uint32_t unit, uint32_t file,
				    uint32_t line, uint32_t column, uint32_t function)
{
	struct anchor key = { unit, file, line, column, 0, 0 };
	for (size_t i = lower(a, &key); i-- > 0;) {
		const struct anchor *anchor = &a->anchor.at[i];
		if (anchor->unit != unit || anchor->file != file)
			return NULL;
		if (anchor->function == function)
			return anchor;
	}
	return NULL;
}
