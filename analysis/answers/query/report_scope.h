/* SPDX-License-Identifier: BSD-3-Clause */
/* report_scope.h - finds the part of the call graph that a report is about. */
#ifndef SIS_ANALYSIS_REPORT_SCOPE_H
#define SIS_ANALYSIS_REPORT_SCOPE_H

#include "base/map.h"
#include "repository/database/repository.h"

struct report_scope {
	int64_t region;     /* id; 0: the whole run */
	struct map regions; /* the regions of its nodes, as keys (id, 0) */
};

/* Makes temp.report_node(node): the nodes of the one region that has the name (region_choice.h),
 * and all nodes below them. If the name is NULL, the table has all nodes. */
int report_scope_load(struct report_scope *scope, struct repo *repo, int64_t experiment,
		      const char *name, struct err *err);
void report_scope_release(struct report_scope *scope);

#endif
