/* SPDX-License-Identifier: BSD-3-Clause */
/* difference_parts.h - what the difference of T_p between two series of runs consists of: useful
 * work and overheads, in regions or call paths. */
#ifndef SIS_ANALYSIS_DIFFERENCE_PARTS_H
#define SIS_ANALYSIS_DIFFERENCE_PARTS_H

#include "query/call_paths.h"
#include "query/regression.h"
#include "tables.h"

/* id: 0 if it is not there, or for call_path if the part is of a region */
struct difference_part { /* mean over the runs of each series, nanoseconds */
	char *name;      /* of the region, or of the call path; NULL: the remainder */
	char *region, *path, *type, *file; /* path: NULL unless asked for */
	int64_t line;
	enum sis_overhead leaf; /* O_NONE: useful work */
	int64_t a, b;
	struct part_ids { int64_t region, call_path; } id[2]; /* in the first run of each series */
	uint32_t item;   /* index in difference_parts.path, if these are asked for */
};
struct difference_path { /* a call path that one of the series has */
	uint32_t parent; /* index; NO_PATH: nothing but the run is around it */
	char *name, *file; /* of its last region */
	int64_t line;
	int64_t region[2]; /* in the first run of each series; 0: it is not there */
};
struct difference_parts {
	int64_t a, b; /* T_p, or p * T_p */
	/* the largest difference first; the remainder, which is next to 0, last. They add up to
	 * the times of both series */
	VEC(struct difference_part) part;
	VEC(struct difference_path) path; /* parents first; none unless paths are asked for */
};

int difference_parts_find(struct difference_parts *parts, struct repo *repo, const run_list *a,
			  const run_list *b, enum time_of time, bool by_path, struct err *err);
void difference_parts_release(struct difference_parts *parts);

#endif
