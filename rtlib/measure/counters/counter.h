/* SPDX-License-Identifier: BSD-3-Clause */
/* counter.h - a source of metrics beyond time and calls, and how to add one.
 *
 *   1. Write counter_NAME.c with one `const struct sis_source sis__source_NAME` (counter_os.c is
 *      the smallest example); its metrics need a row in schema/metrics.def.
 *   2. Add it to `sis__sources` in metric_set.c.
 *
 * A source that needs a library is in a module of its own, which is opened when one of its metrics
 * is needed (counter_papi.c and papi_module.c).
 */
#ifndef SIS_COUNTER_H
#define SIS_COUNTER_H

#include "base/runtime.h"

#define SIS_SET_METRICS 24 /* at most so many in one set */

struct sis_source {
	/* Returns the source's own number (0 or more) for a metric; -1: this is no metric of the
	 * source; -2: the metric cannot be measured here, and *why says why. Called while a set is
	 * made, never from a probe's fast path. */
	int (*find)(const char *metric, const char **why);
	/* Reads `count` metrics into `value`. Values are cumulative: a region's amount is the value
	 * at its leave minus that at its enter. Called by the thread that is measured, at every
	 * enter and leave. Returns NULL if all metrics were read. Otherwise the result says why
	 * some cannot be read, and *lost has a bit for each of these. From then on the thread has
	 * no values of these metrics. */
	const char *(*read)(const int *number, int count, uint64_t *value, uint32_t *lost);
};

/* Reads the set of the node's metrics at an enter ... */
SIS_HIDDEN void sis__counters_begin(struct sis_thread *thread, struct sis_node *node, uint32_t set);
SIS_HIDDEN void sis__counters_end(struct sis_node *node); /* ... and adds the differences */
/* Returns how long one reading of the set takes; 0: there is nothing to read. */
SIS_EXPORT uint64_t sis__set_price_ns(uint32_t set);

#endif
