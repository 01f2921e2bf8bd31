/* SPDX-License-Identifier: BSD-3-Clause */
/* values.h - makes the blocks with the metric values of nodes. */
#ifndef SIS_VALUES_H
#define SIS_VALUES_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Makes a block for metric set `set` of a node that is reached from `origin` (NULL: none). Returns
 * NULL if there is no memory, or if the node has neither metrics nor an origin. */
struct sis_values *sis__values_new(struct sis_thread *thread, uint32_t set,
				   struct sis_node *origin);
/* Returns the node's block, which is made on first use; NULL: no memory. The block has the metrics
 * of `set`. If the region has metrics of its own, they follow the metrics of `set`. */
SIS_EXPORT struct sis_values *sis__values(struct sis_thread *thread, struct sis_node *node,
					  uint32_t set);
static inline void sis__add_message(struct sis_values *values, uint64_t sent, uint64_t received,
				    uint64_t bytes_sent, uint64_t bytes_received)
{
	values->value[0].sum += sent;
	values->value[1].sum += received;
	values->value[2].sum += bytes_sent;
	values->value[3].sum += bytes_received;
}

#pragma GCC visibility pop
#endif
