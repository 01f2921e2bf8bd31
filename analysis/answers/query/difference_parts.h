/* SPDX-License-Identifier: BSD-3-Clause */
/* difference_parts.h - divides the difference of T_p between two series of runs into parts: useful
 * work and overheads, in regions or call paths. */
#ifndef SIS_ANALYSIS_DIFFERENCE_PARTS_H
#define SIS_ANALYSIS_DIFFERENCE_PARTS_H

#include "answers/query/call_paths.h"
#include "answers/query/regression.h"
#include "tables.h"

/* An id is 0 if the series lacks the region or call path. Also, call_path is 0 if the part belongs
 * to a region. */
struct difference_part { /* times: nanoseconds, mean over the runs of a series */
	char *name;      /* of the region or call path; NULL: the remainder */
	char *region, *path, *type, *file; /* path: NULL unless asked for */
	int64_t line;
	enum sis_overhead leaf; /* O_NONE: useful work */
	int64_t a, b;
	struct part_ids { int64_t region, call_path; } id[2]; /* in the first run of each series */
	uint32_t item;   /* index in difference_parts.path, if paths are asked for */
};
struct difference_path { /* a call path that one of the series has */
	uint32_t parent; /* index; NO_PATH: the path has no caller */
	char *name, *file; /* of its last region */
	int64_t line;
	int64_t region[2]; /* in the first run of each series; 0: absent there */
};
struct difference_parts {
	int64_t a, b; /* T_p, or p * T_p */
	/* All parts add up to the times of both series. The largest difference is first; the
	 * remainder, which is close to 0, is last. */
	VEC(struct difference_part) part;
	VEC(struct difference_path) path; /* parents first; none unless paths are asked for */
};

int difference_parts_find(struct difference_parts *parts, struct repo *repo, const run_list *a,
			  const run_list *b, enum time_of time, bool by_path, struct err *err);
void difference_parts_release(struct difference_parts *parts);

#endif
