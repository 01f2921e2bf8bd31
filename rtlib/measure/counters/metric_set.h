/* SPDX-License-Identifier: BSD-3-Clause */
/* metric_set.h - metric sets. metric_set.c makes them, and counter.c reads the metrics. */
#ifndef SIS_METRIC_SET_H
#define SIS_METRIC_SET_H

#include "base/slot_table.h"
#include "measure/counters/counter.h"

#pragma GCC visibility push(hidden)

enum { SIS_SOURCES = 4, SIS_SETS = 256, SIS_SET_NAMES = 512 };

struct sis_metric_set {
	char names[SIS_SET_NAMES];              /* in the order of the values */
	uint32_t count;
	uint32_t wrapped;               /* wrappers fill in the first `wrapped` metrics */
	int number[SIS_SET_METRICS];    /* the number that its source gave each metric */
	/* how many metrics each source has; the metrics are grouped in this order */
	uint32_t of_source[SIS_SOURCES];
	/* For each slot, a bit for each metric that could not be read in this slot, which was
	 * reported. NULL: no memory, so such metrics are reported each time. */
	_Atomic uint32_t *lost;
};

/* set 0 means no set; a set is complete before its number is used */
extern struct sis_metric_set sis__sets[SIS_SETS];
extern const struct sis_source *const sis__sources[SIS_SOURCES]; /* in the order of reading */

/* Takes the next name of a comma-separated list. A name may contain commas in parentheses. False:
 * there is no next name. */
bool sis__metric_next(const char **list, char *name, size_t size);

/* Returns the set of the metrics in a comma-separated list, and writes the set into the profile as
 * text. 0: none of these metrics can be measured. */
SIS_EXPORT uint32_t sis__set(const char *metrics);
/* Returns the set for a call of MPI: the metrics of messages, and then those in the list. 0: there
 * is no metric but those of messages. */
uint32_t sis__set_with_messages(const char *metrics);
uint32_t sis__set_count(uint32_t set); /* how many metrics it has */
/* The set MSGS_S,MSGS_R,BYTES_S,BYTES_R, in this order, for nodes of MPI. */
extern SIS_EXPORT uint32_t sis__set_messages;
/* Whether the metric can be measured on this machine; if not, *why says why. For sis-counters. */
SIS_EXPORT bool sis__metric_offered(const char *metric, const char **why);

#pragma GCC visibility pop
#endif
