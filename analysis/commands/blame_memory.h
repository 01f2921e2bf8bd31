/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_memory.h - what `sis-analyze blame --memory` prints: the memory that samples access. */
#ifndef SIS_ANALYSIS_BLAME_MEMORY_LIST_H
#define SIS_ANALYSIS_BLAME_MEMORY_LIST_H

#include "commands/blame_lists.h"

/* Prints a line for each place of allocation and each variable. Text also says on which samples the
 * lines are based. temp.blame_unit names the units. It is an error if the run recorded no
 * memory. */
int blame_print_memory(struct context *c, const struct blame_view *view, struct err *err);

#endif
