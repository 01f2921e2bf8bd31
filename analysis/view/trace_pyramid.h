/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_pyramid.h - activations of a unit in levels of detail, from which a picture of any length
 * of time is drawn with few items.
 *
 * A lane is a depth of the stack of a unit. Buckets of level 1 are 256 ns long, and those of each
 * further level four times as long:
 *
 *     level 2 |   merged    f f  |       g        |            |f|  exact: 1024 ns and longer
 *     level 1 | m |f|   |m |f|f| |m|m|            |   |m|           exact: 256 to 1023 ns
 *     level 0 |||            |||  | ||||               |            exact: less than 256 ns
 *
 * An activation is in one level: the highest one whose buckets are not longer than it. In the
 * levels above, it is part of merged items: of a bucket of a lane, how much of it is filled, how
 * many activations began in it, and in which context most of that time was. So in each level k, the
 * merged items of level k and the exact items of level k and above are all activations, and their
 * times add up to the same. */
#ifndef SIS_ANALYSIS_TRACE_PYRAMID_H
#define SIS_ANALYSIS_TRACE_PYRAMID_H

#include "view/trace_tiles.h"

enum {
	PYRAMID_LEVELS = 24,
	PYRAMID_BUCKET = 256, /* ns: of level 1 */
	PYRAMID_LANES = 512,  /* of a unit; deeper activations are in no level */
};

/* Of level 1 and above. */
static inline int64_t pyramid_bucket_ns(uint32_t level)
{
	return (int64_t)PYRAMID_BUCKET << 2 * (level - 1);
}

struct pyramid;

/* Levels up to the one of which a run of this length has a thousand buckets. */
uint32_t pyramid_top(int64_t run_ns);
/* The tiles are made of what is added. */
struct pyramid *pyramid_new(struct tiles *tiles, uint32_t unit, uint32_t top);
/* An activation begins within those that are open, and the innermost one ends. Times must not
 * decrease. */
void pyramid_enter(struct pyramid *p, int64_t ns, uint32_t context);
void pyramid_leave(struct pyramid *p, int64_t ns);
bool pyramid_has_open(const struct pyramid *p);
uint32_t pyramid_lanes(const struct pyramid *p);  /* so far */
uint64_t pyramid_cut(const struct pyramid *p);    /* activations that were too deep */
/* All activations have ended. */
void pyramid_finish(struct pyramid *p);

#endif
