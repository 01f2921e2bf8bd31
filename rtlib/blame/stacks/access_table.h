/* SPDX-License-Identifier: BSD-3-Clause */
/* access_table.h - the memory that the samples of one thread accessed; each access is stored once.
 */
#ifndef SIS_ACCESS_TABLE_H
#define SIS_ACCESS_TABLE_H

#include "blame/stacks/filling.h"

#pragma GCC visibility push(hidden)

enum { SIS_ACCESS_SLOTS = 1 << 15, SIS_ACCESSES_MOST = SIS_ACCESS_SLOTS / 4 * 3,
       SIS_ACCESSES_EXACT = 1 << 12 };

struct sis_access_table {
	struct sis_access **slot;  /* SIS_ACCESS_SLOTS elements; NULL: free */
	uint32_t records;          /* slots in use */
	uint32_t exact;            /* slots in use for single addresses */
	struct sis_access *rest;   /* gets samples for which there is no room; NULL: not made yet */
	struct sis_filling filling;
};

/* Adds samples to the access that equals `key` apart from count and weight, or makes that access.
 * The new access may have a rounded address (SIS_ACCESS_COARSE). If there is no room for the
 * access, the samples are added to `rest`, as unknown. Returns false, and counts nothing, if there
 * is no `rest` either. Safe in a signal handler. */
bool sis__access_add(struct sis_access_table *table, const struct sis_access *key, uint64_t count,
		     uint64_t weight);

#pragma GCC visibility pop
#endif
