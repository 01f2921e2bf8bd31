/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_memory.h - what `sis-analyze blame --memory` prints: the memory that samples access. */
#ifndef SIS_ANALYSIS_BLAME_MEMORY_LIST_H
#define SIS_ANALYSIS_BLAME_MEMORY_LIST_H

#include "commands/blame_lists.h"

/* A line for each place of allocation and each variable, and in text what the lines stand on.
 * temp.blame_unit says which units. An error if the run recorded no memory. */
int blame_print_memory(struct context *c, const struct blame_view *view, struct err *err);

#endif
