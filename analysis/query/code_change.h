/* SPDX-License-Identifier: BSD-3-Clause */
/* code_change.h - why the same call path does more work in another version of a program. */
#ifndef SIS_ANALYSIS_CODE_CHANGE_H
#define SIS_ANALYSIS_CODE_CHANGE_H

#include "query/call_graph.h"

struct code { /* of a call path in one version */
	/* the innermost region whose function's text is known; if none is, the last region */
	const struct graph_region *region;
	int64_t calls;
};
struct code_change {
	enum sis_overhead leaf; /* OADD_ALGO, OADD_COMP or OUNID */
	char *reason;           /* one clause, with what differs; the caller frees it */
};

/* OADD_ALGO: the function's tokens differ, or it is called more or less often. OADD_COMP: the
 * tokens are the same, and the compiler or its flags differ. OUNID: all of these are the same.
 * If sisc recorded no tokens, the texts of the files decide, between the first two. all_same: what
 * is assumed of files without a recorded text. */
struct code_change code_change_between(const struct code *before, const struct code *after,
				       bool all_same);

#endif
