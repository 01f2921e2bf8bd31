/* SPDX-License-Identifier: BSD-3-Clause */
/* advice.h - the things that a programmer can do next, with what each could win. */
#ifndef SIS_ANALYSIS_ADVICE_H
#define SIS_ANALYSIS_ADVICE_H

#include <stdio.h>

#include "query/main_cause.h"
#include "query/overhead.h"

struct action {
	/* path: of the file, absolute; checksum: of its text, "": unknown */
	char *region, *file, *path, *checksum;
	int64_t region_id, line;               /* line 0: not in the source */
	enum sis_overhead leaf;                /* or a node above several that have one remedy */
	int64_t ns;                            /* mean of the units: no more can be won */
	struct cause cause;                    /* of waits */
};
typedef VEC(struct action) actions;

/* so many; less than 1/ACTIONS_WORTH of T_p is not worth a change */
enum { ACTIONS_MOST = 3, ACTIONS_WORTH = 50 };

/* The largest losses that the program could avoid. What the reference runs explain is taken from
 * temp.reference_part. */
int actions_load(actions *list, struct repo *repo, int64_t experiment, int64_t t_p_ns,
		 struct err *err);
void actions_release(actions *list);

/* One line: what the first of them is, or why there is none. Hints go before "there is none". */
void actions_print_first(const actions *list, const struct overheads *o, FILE *out);
/* All of them, with their places in the source. */
void actions_print(const actions *list, const struct overheads *o, bool color, FILE *out);
void actions_json(const actions *list, struct json *json);

#endif
