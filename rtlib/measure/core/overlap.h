/* SPDX-License-Identifier: BSD-3-Clause */
/* overlap.h - enters and leaves regions of annotations. sis/probe.h declares the probes of other
 * regions that overlap. lib/sis/libsis-annotations.so calls these functions. */
#ifndef SIS_OVERLAP_H
#define SIS_OVERLAP_H

struct sis_region;

#pragma GCC visibility push(default)

/* The region must be registered and on. When a function around the activation is left, the
 * activation goes on. */
void sis__annotation_enter(struct sis_region *region);
/* Leaves the region's innermost activation. Functions, loops and annotations inside go on. */
void sis__annotation_leave(struct sis_region *region);

#pragma GCC visibility pop
#endif
