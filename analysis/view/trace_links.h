/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_links.h - what leads from one unit to another in a picture of a trace: messages, collective
 * operations, and forks of teams. */
#ifndef SIS_ANALYSIS_TRACE_LINKS_H
#define SIS_ANALYSIS_TRACE_LINKS_H

#include "timeline/team_parts.h"
#include "view/trace_tiles.h"

typedef VEC(struct tile_link) tile_links;

/* Adds the messages and collective operations of an experiment that has been matched. A collective
 * operation has a link from the process that came last to each that waited for it. */
void trace_links_add_operations(tile_links *links, const struct experiment *x);
/* Adds the forks of a process, whose teams are known. */
void trace_links_add_forks(tile_links *links, const struct experiment *x,
			   const struct process *process, const team_parts *teams);
/* Makes tiles of all of them, ordered by time. */
void trace_links_make_tiles(tile_links *links, struct tiles *tiles);

#endif
