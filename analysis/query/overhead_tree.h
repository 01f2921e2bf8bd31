/* SPDX-License-Identifier: BSD-3-Clause */
/* overhead_tree.h - the overhead tree as text. */
#ifndef SIS_ANALYSIS_OVERHEAD_TREE_H
#define SIS_ANALYSIS_OVERHEAD_TREE_H

#include "query/overhead.h"

/* Prints the nodes that are not zero, indented, with bars. The lines of depth 0 sum to T_p, and
 * children to their parent, also in percent. With a sequential run, the last line is the sum of
 * what was identified. `fold`: children of less than 0.5 % of T_p have one
 * line together. `whole`: the heading of the percentages. */
void overheads_print_tree(const struct overheads *o, bool fold, const char *whole, bool color,
			  FILE *out);

#endif
