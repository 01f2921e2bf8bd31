/* SPDX-License-Identifier: BSD-3-Clause */
/* range.c - addresses for a file that is mapped, grows and never moves. The caller holds the lock
 * of the file's user.
 *
 * Addresses that are only reserved count for limits (ulimit -v), and schedulers take them for a
 * leak. So few are reserved, in a place of the address space that is far away from all that the
 * kernel places by itself. There the range becomes longer when the file does:
 *
 *      0x3a5000000000                            0x3a7000000000                   0x7f...
 *       | profile | ...free, for some 100 GB ... | samples | ... free ...         | libraries
 *
 * If the place is taken, or the processor has not so many addresses, or a sanitizer allows none
 * there, the range is anywhere. Other mappings soon surround it, so that it has to be longer from
 * the beginning.
 */
#include "profile/range.h"

#include <stddef.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define FIRST 0x3a5000000000ull
#define DISTANCE 0x2000000000ull
enum { GRAIN = 64 << 10, LEAST = 1 << 20, SHRINK = 4 };

/* A kernel that does not know MAP_FIXED_NOREPLACE takes the address as a wish. */
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

/* With less if so many are refused. */
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
