/* SPDX-License-Identifier: BSD-3-Clause */
/* overhead_tree.h - prints the overhead tree as text. */
#ifndef SIS_ANALYSIS_OVERHEAD_TREE_H
#define SIS_ANALYSIS_OVERHEAD_TREE_H

#include "answers/query/overhead.h"

/* Prints the nodes that are not zero, indented, with bars. The lines of depth 0 add up to T_p, and
 * the lines of children to the line of their parent. So do the percentages. If there is a
 * sequential run, the last line is the total identified. `fold`: all children of less than 0.5 % of
 * T_p share one line. `whole`: the heading of the percentages. */
void overheads_print_tree(const struct overheads *o, bool fold, const char *whole, bool color,
			  FILE *out);

#endif
