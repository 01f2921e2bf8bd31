/* SPDX-License-Identifier: BSD-3-Clause */
/* overhead_lists.h - the lists of `sis-analyze overhead`: by processing unit, by region, and where
 * an overhead comes from. */
#ifndef SIS_ANALYSIS_OVERHEAD_LISTS_H
#define SIS_ANALYSIS_OVERHEAD_LISTS_H

#include "commands/command.h"
#include "query/chosen_overheads.h"
#include "query/interval_overheads.h"

struct overhead_list {
	struct overhead_choice choice;
	bool explain;       /* regions, processing units and rules of choice.overhead */
	int64_t units;      /* how many processing units are chosen (pu_choice_load) */
	int64_t seq, par1;  /* reference runs (context_references) */
	bool has_interval;  /* of an interval, which was loaded */
	struct interval_overheads interval;
};

/* Says what of an interval is estimated and not known, after a text. */
void interval_notes_print(const struct interval_overheads *interval);
int overhead_list_print(struct context *c, int64_t id, const struct overhead_list *list,
			struct err *err);

#endif
