/* SPDX-License-Identifier: BSD-3-Clause */
/* anchors.h - finds the statements at a position of the source: the anchors of all units, sorted.
 *
 * A position is looked up within its translation unit, because an inline function of a header is in
 * many units. Two units may have the same source: a file that was compiled twice with different
 * options. */
#ifndef SIS_ANALYSIS_ANCHORS_H
#define SIS_ANALYSIS_ANCHORS_H

#include <stdbool.h>

#include "base/map.h"
#include "base/mem.h"

struct anchor {
	uint32_t unit, file, line, column;
	uint32_t function;       /* number in flow_program */
	uint32_t target;         /* index of flow_program.anchor */
};

/* Numbers the paths that are added. */
struct anchor_paths {
	struct strmap path, base;
	VEC(uint32_t) path_of_base; /* the only path with this base name, or SEVERAL */
};

struct anchors {
	VEC(struct anchor) anchor; /* sorted by unit, file, line, column, function, target */
	VEC(uint32_t) unit;        /* the path of each unit, as its number in `source` */
	struct anchor_paths source, file;
};

/* The anchors at one position, or of one line. */
struct anchor_run { const struct anchor *at; size_t count; };

/* To build: add the units, which get numbers in this order; then their files and anchors; then call
 * anchors_sort. */
void anchors_add_unit(struct anchors *a, const char *path, const char *directory);
uint32_t anchors_add_file(struct anchors *a, const char *path, const char *directory);
void anchors_add(struct anchors *a, const struct anchor *anchor);
void anchors_sort(struct anchors *a);
void anchors_release(struct anchors *a);

/* Returns the first unit whose source is `path`, as debug information names it, and whose number is
 * at least `from`. NONE: there is no such unit. */
uint32_t anchors_unit(const struct anchors *a, const char *path, const char *directory,
		      uint32_t from);
/* The number of a file; NONE: no unit has the file. */
uint32_t anchors_file(const struct anchors *a, const char *path, const char *directory);

struct anchor_run anchors_at(const struct anchors *a, uint32_t unit, uint32_t file, uint32_t line,
			     uint32_t column);
struct anchor_run anchors_of_line(const struct anchors *a, uint32_t unit, uint32_t file,
				  uint32_t line);
/* The last anchor of the function before (line, column) in the file; NULL: there is none. */
const struct anchor *anchors_before(const struct anchors *a, uint32_t unit, uint32_t file,
				    uint32_t line, uint32_t column, uint32_t function);

#endif
