/* SPDX-License-Identifier: BSD-3-Clause */
/* code_change.h - finds why the same call path does more work in another version of a program. */
#ifndef SIS_ANALYSIS_CODE_CHANGE_H
#define SIS_ANALYSIS_CODE_CHANGE_H

#include "answers/query/call_graph.h"

struct code { /* the code of a call path in one version */
	/* the innermost region of the path whose function's text is known; if there is no such
	 * region, the last region of the path */
	const struct graph_region *region;
	int64_t calls;
};
struct code_change {
	enum sis_overhead leaf; /* OADD_ALGO, OADD_COMP or OUNID */
	char *reason;           /* a clause that says what differs; the caller frees it */
};

/* OADD_ALGO: the function's tokens or its number of calls differ. OADD_COMP: the tokens are the
 * same, and the compiler or its flags differ. OUNID: all of these are the same. If sisc recorded no
 * tokens, the texts of the files decide between OADD_ALGO and OADD_COMP. all_same: whether files
 * without a recorded text are assumed to be the same. */
struct code_change code_change_between(const struct code *before, const struct code *after,
				       bool all_same);

#endif
