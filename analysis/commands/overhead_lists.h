/* SPDX-License-Identifier: BSD-3-Clause */
/* overhead_lists.h - the lists of `sis-analyze overhead`: by processing unit, by region, and the
 * origin of an overhead. */
#ifndef SIS_ANALYSIS_OVERHEAD_LISTS_H
#define SIS_ANALYSIS_OVERHEAD_LISTS_H

#include "commands/command.h"
#include "answers/query/chosen_overheads.h"
#include "answers/query/interval_overheads.h"

struct overhead_list {
	struct overhead_choice choice;
	bool explain;       /* lists regions, processing units and rules of choice.overhead */
	int64_t units;      /* how many processing units are chosen (pu_choice_load) */
	int64_t seq, par1;  /* reference runs (context_references) */
	bool has_interval;  /* lists are of `interval`, which was loaded */
	struct interval_overheads interval;
};

/* Prints, after an empty line, which times of an interval are estimated or not known. */
void interval_notes_print(const struct interval_overheads *interval);
int overhead_list_print(struct context *c, int64_t id, const struct overhead_list *list,
			struct err *err);

#endif
