/* SPDX-License-Identifier: BSD-3-Clause */
/* advice.h - what the programmer can do next, and what each action could gain. */
#ifndef SIS_ANALYSIS_ADVICE_H
#define SIS_ANALYSIS_ADVICE_H

#include <stdio.h>

#include "query/main_cause.h"
#include "query/overhead.h"

struct action {
	/* path: the absolute path of the file; checksum: of its text, "": unknown */
	char *region, *file, *path, *checksum;
	int64_t region_id, line;               /* line 0: not in the source */
	/* the call path that it is for, and its name; 0 and NULL: for the whole region */
	int64_t call_path;
	char *call_path_text, *call_path_name;
	/* or a node above several leaves that have the same advice */
	enum sis_overhead leaf;
	/* mean over the processing units: the most that can be gained */
	int64_t ns;
	struct cause cause;                    /* of waits */
};
typedef VEC(struct action) actions;

/* most actions; less than 1/ACTIONS_WORTH of T_p is not worth a change */
enum { ACTIONS_MOST = 3, ACTIONS_WORTH = 50 };

/* Loads the largest losses that the program could avoid. temp.reference_part has those that the
 * reference runs explain. A lack of processors comes first, and losses that it may explain are left
 * out. crowded: there were more processing units than processors. */
int actions_load(actions *list, struct repo *repo, int64_t experiment, const struct overheads *o,
		 bool crowded, struct err *err);
void actions_release(actions *list);

/* Prints one line: the first action, or why there is none. Hints come before "there is none". */
void actions_print_first(const actions *list, const struct overheads *o, FILE *out);
/* Prints all actions with their lines of the source. */
void actions_print(const actions *list, const struct overheads *o, bool color, FILE *out);
void actions_json(const actions *list, struct json *json);

#endif
