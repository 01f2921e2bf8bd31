/* SPDX-License-Identifier: BSD-3-Clause */
/* metric_set.h - metric sets: made by metric_set.c, read by counter.c. */
#ifndef SIS_METRIC_SET_H
#define SIS_METRIC_SET_H

#include "base/slot_table.h"
#include "counters/counter.h"

#pragma GCC visibility push(hidden)

enum { SIS_SOURCES = 4, SIS_SETS = 256, SIS_SET_NAMES = 512 };

struct sis_metric_set {
	char names[SIS_SET_NAMES];              /* in the order of the values */
	uint32_t count;
	uint32_t wrapped;               /* of them, the first ones, filled in by wrappers */
	int number[SIS_SET_METRICS];    /* the source's, for each */
	/* how many each source has, one source after the other */
	uint32_t of_source[SIS_SOURCES];
	/* For each slot, a bit for each metric that could not be read there and was reported; NULL:
	 * no memory, it is reported each time. */
	_Atomic uint32_t *lost;
};

/* set 0 means none; a set is complete before its number is used */
extern struct sis_metric_set sis__sets[SIS_SETS];
extern const struct sis_source *const sis__sources[SIS_SOURCES]; /* in the order of reading */

/* The next name of a comma-separated list; names may have commas in parentheses. */
bool sis__metric_next(const char **list, char *name, size_t size);

/* The set of the metrics in a comma-separated list, written as text; 0: none can be measured. */
SIS_EXPORT uint32_t sis__set(const char *metrics);
/* The same for an MPI call: its message metrics come first. */
uint32_t sis__set_with_messages(const char *metrics);
uint32_t sis__set_count(uint32_t set); /* how many metrics it has */
/* MSGS_S,MSGS_R,BYTES_S,BYTES_R in this order, for MPI nodes. */
extern SIS_EXPORT uint32_t sis__set_messages;
/* Whether a metric can be measured here, for sis-counters. */
SIS_EXPORT bool sis__metric_offered(const char *metric, const char **why);

#pragma GCC visibility pop
#endif
