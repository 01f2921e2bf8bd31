/* SPDX-License-Identifier: BSD-3-Clause */
/* report_scope.h - the part of the call graph that a report is about. */
#ifndef SIS_ANALYSIS_REPORT_SCOPE_H
#define SIS_ANALYSIS_REPORT_SCOPE_H

#include "base/map.h"
#include "repository/repository.h"

struct report_scope {
	int64_t region;     /* id; 0: the whole run */
	struct map regions; /* those of the nodes, as keys (id, 0) */
};

/* Makes temp.report_node(node): the nodes of the one region that has the name (region_choice.h),
 * and all below them; name NULL: all nodes. */
int report_scope_load(struct report_scope *scope, struct repo *repo, int64_t experiment,
		      const char *name, struct err *err);
void report_scope_release(struct report_scope *scope);

#endif
