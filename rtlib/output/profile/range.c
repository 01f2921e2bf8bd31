/* SPDX-License-Identifier: BSD-3-Clause */
/* range.c - addresses for a file that is mapped, grows and never moves. The caller holds the lock
 * of the file's user.
 *
 * Even addresses that are only reserved count for limits (ulimit -v), and batch schedulers treat
 * them as a leak. So few addresses are reserved, in a part of the address space that is far away
 * from mappings that the kernel places by itself. There the range can grow with the file:
 *
 *      0x3a5000000000                            0x3a7000000000                   0x7f...
 *       | profile | ...free, for some 100 GB ... | samples | ... free ...         | libraries
 *
 * If this place is taken, or is beyond the processor's addresses, or is forbidden by a sanitizer,
 * the range is anywhere. There other mappings soon surround the range, so it must be longer from
 * the beginning.
 */
#include "output/profile/range.h"

#include <stddef.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define FIRST 0x3a5000000000ull
#define DISTANCE 0x2000000000ull
enum { GRAIN = 64 << 10, LEAST = 1 << 20, SHRINK = 4 };

/* A kernel that does not know MAP_FIXED_NOREPLACE treats the address as a hint. */
static char *reserve(char *at, uint64_t bytes, int how)
{
	char *there = mmap(at, bytes, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | how, -1, 0);
	if (there == MAP_FAILED)
		return NULL;
	if (!at || there == at)
		return there;
	munmap(there, bytes);
	return NULL;
}

/* Reserves `most` bytes, or less if the kernel refuses so many. */
static char *reserve_up_to(char *at, uint64_t *bytes, uint64_t most)
{
	for (*bytes = most; *bytes >= LEAST;
	     *bytes = (*bytes / SHRINK + GRAIN - 1) / GRAIN * GRAIN) {
		char *there = reserve(at, *bytes, 0);
		if (there)
			return there;
	}
	return NULL;
}

char *sis__range_reserve(enum sis_range_of of, uint64_t *bytes, uint64_t alone)
{
	char *place = (char *)(uintptr_t)(FIRST + of * DISTANCE);
	char *there = reserve_up_to(place, bytes, *bytes);
	return there ? there : reserve_up_to(NULL, bytes, alone);
}

bool sis__range_extend(char *base, uint64_t *bytes, uint64_t wanted)
{
	if (wanted > *bytes &&
	    !reserve(base + *bytes, wanted - *bytes, MAP_FIXED_NOREPLACE))
		return false;
	*bytes = wanted > *bytes ? wanted : *bytes;
	return true;
}
