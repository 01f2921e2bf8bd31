// SPDX-License-Identifier: BSD-3-Clause
/* perf_map_read.c - reads a perf map, the text in which a program names the functions that it has
 * generated: lines `START SIZE NAME`. One thread reads a map.
 *
 * The text is the program's, so it may contain anything. Lines that name no range are left out. The
 * code of a function may be freed, and its memory used for newer functions, whose lines come later.
 * So where functions overlap, the later one counts. An earlier function is dropped if a later one
 * covers its begin, and else ends where the later one begins. */
#include "experiment/read/perf_map_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

/* A name may be longer, such as that of a function of C++ templates. It is then cut. */
enum { MOST_NAME = 1000 };
#define MOST_ADDRESS ((uint64_t)1 << 62)

struct range { uint64_t start, end; const char *name; size_t line; };

static int by_start(const void *va, const void *vb)
{
	const struct range *a = va, *b = vb;
	return ORDER(a->start, b->start) ?: ORDER(a->line, b->line);
}

/* A number and the space after it. */
static bool take_number(char **at, uint64_t *value)
{
	char *end;
	if (!strchr("0123456789abcdefABCDEF", **at))
		return false;
	*value = strtoull(*at, &end, 16);
	*at = end + 1;
	return *end == ' ' && *value < MOST_ADDRESS;
}

static bool take_line(char *line, struct range *range)
{
	uint64_t size;
	if (!*line || !take_number(&line, &range->start) || !*line || !take_number(&line, &size) ||
	    !size || !*line)
		return false;
	range->end = range->start + size;
	range->name = line;
	return true;
}

void perf_map_read(struct stacks *stacks, const unsigned char *text, size_t bytes)
{
	VEC(struct range) range = { 0 };
	char *copy = mem_alloc(bytes + 1, 1), *line = copy;
	memcpy(copy, text, bytes);
	/* the last line may be cut, so a line counts only if it has an end */
	for (char *end; (end = memchr(line, '\n', bytes - (size_t)(line - copy))); line = end + 1) {
		struct range new = { .line = range.n };
		*end = '\0';
		if (take_line(line, &new))
			*vec_push(&range) = new;
	}
	vec_sort(&range, by_start);
	size_t kept = 0;
	for (size_t i = 0; i < range.n; i++) {
		struct range *last = kept ? &range.at[kept - 1] : NULL;
		if (last && range.at[i].start < last->end) {
			if (range.at[i].line < last->line)
				continue;
			last->end = range.at[i].start;
			kept -= last->start == last->end;
		}
		range.at[kept++] = range.at[i];
	}
	for (size_t i = 0; i < kept; i++)
		*vec_push(&stacks->generated) = (struct stacks_generated){
			range.at[i].start, range.at[i].end,
			mem_print("%.*s", MOST_NAME, range.at[i].name) };
	vec_free(&range);
	free(copy);
}
