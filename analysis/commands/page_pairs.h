/* SPDX-License-Identifier: BSD-3-Clause */
/* page_pairs.h - compares the experiments of a page in pairs, for its view Compare. */
#ifndef SIS_ANALYSIS_PAGE_PAIRS_H
#define SIS_ANALYSIS_PAGE_PAIRS_H

#include "commands/command.h"
#include "page/view/page.h"

/* Adds document `compare --pairs` to a page of several experiments, whose ids are given as texts,
 * and adds the differences of each pair to the experiments. Runs of the same build and command on
 * equally many processes and threads are one series. If all runs would be in one series, each run
 * is a series of its own. */
int page_pairs_add(struct context *c, struct page *page, char *const *ids, struct err *err);

#endif
