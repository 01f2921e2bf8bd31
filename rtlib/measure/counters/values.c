/* SPDX-License-Identifier: BSD-3-Clause */
/* values.c - the memory of metric values: a block for each node that has metrics. Called by the
 * thread that fills the slot.
 */
#include "base/lock.h"
#include "output/profile/store.h"
#include "measure/counters/metric_set.h"
#include "measure/counters/values.h"

enum { VALUES_BYTES = 16 << 10 };

struct sis_values *sis__values_new(struct sis_thread *thread, uint32_t set, struct sis_node *origin)
{
	uint32_t count = sis__set_count(set);
	struct sis_values *values;
	uint64_t bytes = sizeof *values + count * sizeof values->value[0];
	values = count || origin ? sis__from_chunk(thread, &thread->values, SIS_CHUNK_VALUES, bytes,
						   VALUES_BYTES)
				 : NULL;
	if (!values)
		return NULL;
	values->set = set;
	values->count = count;
	values->origin = origin;
	thread->values->used += bytes;
	return values;
}

SIS_EXPORT struct sis_values *sis__values(struct sis_thread *thread, struct sis_node *node,
					  uint32_t set)
{
	if (SIS_LIKELY(node->values != NULL))
		return node->values;
	uint32_t own = sis__region_fact(sis_node_region(node))->set;
	sigset_t before;
	sis__guard_alone(&before);
	node->values = sis__values_new(thread, own ? own : set, NULL);
	sis__unguard_alone(&before);
	return node->values;
}
