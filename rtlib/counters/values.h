/* SPDX-License-Identifier: BSD-3-Clause */
/* values.h - the blocks of metric values of nodes. */
#ifndef SIS_VALUES_H
#define SIS_VALUES_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* A block for metrics `set` of a node that is reached from `origin` (NULL: none). NULL: no memory,
 * or neither metrics nor an origin. */
struct sis_values *sis__values_new(struct sis_thread *thread, uint32_t set,
				   struct sis_node *origin);
/* The node's block for metrics `set`, made on first use; NULL: no memory. A block that the
 * region's own metrics made has those of `set` first. */
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
