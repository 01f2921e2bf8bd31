/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_pyramid.h - the activations of a unit in levels of detail. With them, a picture of any
 * length of time is drawn from few items.
 *
 * A lane is a depth of the stack of a unit. In each level, time is divided into buckets. Buckets of
 * level 1 are 256 ns long, and those of each further level four times as long:
 *
 *     level 2 |   merged    f f  |       g        |            |f|  exact: 1024 ns and longer
 *     level 1 | m |f|   |m |f|f| |m|m|            |   |m|           exact: 256 to 1023 ns
 *     level 0 |||            |||  | ||||               |            exact: less than 256 ns
 *
 * An activation is an exact item of one level: the highest one whose buckets are not longer than
 * the activation. In the levels above, it is part of merged items. A merged item says of a bucket
 * of a lane how much of it is filled, how many activations began in it, and which context has most
 * of the filled time. So at each level k, the merged items of level k and the exact items of levels
 * k and above together stand for all activations, and their times add up to the same sum. */
#ifndef SIS_ANALYSIS_TRACE_PYRAMID_H
#define SIS_ANALYSIS_TRACE_PYRAMID_H

#include "page/view/trace_tiles.h"

enum {
	PYRAMID_LEVELS = 24,
	PYRAMID_BUCKET = 256, /* ns: length of a bucket of level 1 */
	PYRAMID_LANES = 512,  /* of a unit; deeper activations are dropped */
};

/* The length of a bucket; `level` is at least 1. */
static inline int64_t pyramid_bucket_ns(uint32_t level)
{
	return (int64_t)PYRAMID_BUCKET << 2 * (level - 1);
}

struct pyramid;

/* The highest level of which a run of this length has at least 1024 buckets; at least 1. */
uint32_t pyramid_top(int64_t run_ns);
/* Makes an empty pyramid. The activations that are added to it become tiles in `tiles`. */
struct pyramid *pyramid_new(struct tiles *tiles, uint32_t unit, uint32_t top);
/* pyramid_enter begins an activation inside the open ones, pyramid_leave ends the innermost one.
 * Times must not decrease. */
void pyramid_enter(struct pyramid *p, int64_t ns, uint32_t context);
void pyramid_leave(struct pyramid *p, int64_t ns);
bool pyramid_has_open(const struct pyramid *p);
uint32_t pyramid_lanes(const struct pyramid *p);  /* so far */
uint64_t pyramid_cut(const struct pyramid *p);    /* activations that were too deep */
/* Must be called when all activations have ended. */
void pyramid_finish(struct pyramid *p);

#endif
