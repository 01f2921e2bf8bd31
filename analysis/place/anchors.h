/* SPDX-License-Identifier: BSD-3-Clause */
/* anchors.h - positions of the source -> statements: the anchors of all units, in one order.
 *
 * A position belongs to a translation unit: an inline function of a header is in many. Two units
 * may have one source (a file that was compiled twice with different options). */
#ifndef SIS_ANALYSIS_ANCHORS_H
#define SIS_ANALYSIS_ANCHORS_H

#include <stdbool.h>

#include "base/map.h"
#include "base/mem.h"

struct anchor {
	uint32_t unit, file, line, column;
	uint32_t function;       /* of flow_program */
	uint32_t target;         /* of flow_program.anchor */
};

/* Paths with numbers. */
struct anchor_paths {
	struct strmap path, base;
	VEC(uint32_t) path_of_base; /* the only path with this base name, or SEVERAL */
};

struct anchors {
	VEC(struct anchor) anchor; /* by unit, file, line, column, function, target */
	VEC(uint32_t) unit;        /* the path of each, of `source` */
	struct anchor_paths source, file;
};

/* Those at one position or of one line. */
struct anchor_run { const struct anchor *at; size_t count; };

/* Building: units get their numbers in order; then their files and anchors; then anchors_sort. */
void anchors_add_unit(struct anchors *a, const char *path, const char *directory);
uint32_t anchors_add_file(struct anchors *a, const char *path, const char *directory);
void anchors_add(struct anchors *a, const struct anchor *anchor);
void anchors_sort(struct anchors *a);
void anchors_release(struct anchors *a);

/* The first unit of the source, from number `from` on, as debug information names the source. NONE:
 * there is no more. */
uint32_t anchors_unit(const struct anchors *a, const char *path, const char *directory,
		      uint32_t from);
/* NONE: no unit has it. */
uint32_t anchors_file(const struct anchors *a, const char *path, const char *directory);

struct anchor_run anchors_at(const struct anchors *a, uint32_t unit, uint32_t file, uint32_t line,
			     uint32_t column);
struct anchor_run anchors_of_line(const struct anchors *a, uint32_t unit, uint32_t file,
				  uint32_t line);
/* The last anchor of the function that is before (line, column) in the file; NULL. */
const struct anchor *anchors_before(const struct anchors *a, uint32_t unit, uint32_t file,
				    uint32_t line, uint32_t column, uint32_t function);

#endif
