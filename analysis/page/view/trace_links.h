/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_links.h - the links between units in a picture of a trace: messages, collective operations,
 * and forks of teams. */
#ifndef SIS_ANALYSIS_TRACE_LINKS_H
#define SIS_ANALYSIS_TRACE_LINKS_H

#include "experiment/timeline/team_parts.h"
#include "page/view/trace_tiles.h"

typedef VEC(struct tile_link) tile_links;

/* Adds the messages and collective operations of an experiment that has been matched. In a
 * collective operation, a link leads from the process that came last to each process that
 * waited. */
void trace_links_add_operations(tile_links *links, const struct experiment *x);
/* Adds the forks of teams of a process. */
void trace_links_add_forks(tile_links *links, const struct experiment *x,
			   const struct process *process, const team_parts *teams);
/* Orders the links by time, and makes tiles of them. */
void trace_links_make_tiles(tile_links *links, struct tiles *tiles);

#endif
