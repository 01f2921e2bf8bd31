/* SPDX-License-Identifier: BSD-3-Clause */
/* module_memory.c - a sorted list of address ranges, for the handler of the samples' signal. The
 * thread that looks at the modules (blame/stacks/module_list.c) writes the list, and all threads
 * read it, by a seqlock.
 */
#include "base/seqlock.h"
#include "blame/memory/module_memory.h"

static struct sis_module_range ranges[SIS_MODULE_RANGES];
static uint32_t number;
static uint64_t tls;
static uint64_t version; /* the seqlock's */

/* Sorts by insertion, because qsort may allocate. The ranges of one module follow each other in the
 * order of addresses. So few ranges have to be moved. */
void sis__module_memory_set(struct sis_module_range *range, uint32_t count, uint64_t tls_bytes)
{
	for (uint32_t i = 1; i < count; i++) {
		struct sis_module_range one = range[i];
		uint32_t at = i;
		for (; at > 0 && range[at - 1].begin > one.begin; at--)
			range[at] = range[at - 1];
		range[at] = one;
	}
	uint64_t before = sis__seqlock_write_begin(&version);
	for (uint32_t i = 0; i < count; i++) {
		SIS_SET(ranges[i].begin, range[i].begin);
		SIS_SET(ranges[i].end, range[i].end);
	}
	SIS_SET(number, count);
	SIS_SET(tls, tls_bytes);
	sis__seqlock_write_end(&version, before);
}

bool sis__is_module_memory(uint64_t address)
{
	uint64_t begin = sis__seqlock_read_begin(&version);
	uint32_t low = 0, high = SIS_GET(number); /* the range with the address is before `high` */
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (SIS_GET(ranges[middle].begin) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	bool is_in = low > 0 && SIS_GET(ranges[low - 1].end) > address;
	return sis__seqlock_read_end(&version, begin) && is_in;
}

uint64_t sis__tls_bytes(void)
{
	return SIS_GET(tls);
}
