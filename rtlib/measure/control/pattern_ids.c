/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern_ids.c - which registered regions a pattern matches. The caller holds the lock of
 * control.c.
 *
 * A pattern is compared with the region's name and with FUNCTION/NAME. Names are in the
 * descriptions of the units, which the profile keeps even if a library is closed. */
#include "output/profile/store.h"
#include "measure/core/region_text.h"
#include "measure/control/pattern_ids.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static void release(struct sis_pattern_ids *p)
{
	if (p->match)
		munmap(p->match, (size_t)p->patterns * p->room);
	p->match = NULL;
	p->ids = p->room = 0;
}

void sis__pattern_ids_begin(struct sis_pattern_ids *p, const char *const *pattern, uint32_t count)
{
	release(p);
	*p = (struct sis_pattern_ids){ .pattern = pattern, .patterns = count };
}

static bool grow(struct sis_pattern_ids *p, uint32_t ids)
{
	struct sis_pattern_ids new = *p;
	new.room = (ids + 1023) / 1024 * 1024;
	void *memory = mmap(NULL, (size_t)p->patterns * new.room, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return false;
	new.match = memory;
	for (uint32_t i = 0; i < p->patterns && p->match; i++)
		memcpy(new.match + (size_t)i * new.room, p->match + (size_t)i * p->room, p->ids);
	release(p);
	*p = new;
	return true;
}

static void compare_unit(struct sis_pattern_ids *p, const struct sis_profile_unit *unit,
			 uint32_t end)
{
	static struct sis_region_text region;
	static char whole[sizeof region.function + sizeof region.name + 1];
	struct sis_region_texts walk = sis__region_texts((const char *)(unit + 1), unit->length);
	for (uint32_t id = unit->first_id; id < end && sis__region_texts_next(&walk, &region);
	     id++) {
		if (id < p->ids)
			continue;
		snprintf(whole, sizeof whole, "%s/%s", region.function, region.name);
		for (uint32_t i = 0; i < p->patterns; i++)
			p->match[(size_t)i * p->room + id] =
				fnmatch(p->pattern[i], region.name, 0) == 0 ||
				(region.pattern[0] &&
				 fnmatch(p->pattern[i], region.pattern, 0) == 0) ||
				fnmatch(p->pattern[i], whole, 0) == 0;
	}
}

void sis__pattern_ids_update(struct sis_pattern_ids *p)
{
	uint32_t end = 0; /* the first id that no unit has */
	struct sis_chunk *chunk = NULL;
	while ((chunk = sis__chunk_next(sis__store.base, chunk))) {
		const struct sis_profile_unit *unit = sis__payload(chunk);
		uint32_t after = unit->first_id + unit->count;
		if (chunk->kind == SIS_CHUNK_UNIT && chunk->used && after > end)
			end = after;
	}
	if (!p->patterns || end <= p->ids || (end > p->room && !grow(p, end)))
		return;
	while ((chunk = sis__chunk_next(sis__store.base, chunk))) {
		const struct sis_profile_unit *unit = sis__payload(chunk);
		if (chunk->kind == SIS_CHUNK_UNIT && chunk->used && unit->first_id < end)
			compare_unit(p, unit, unit->first_id + unit->count);
	}
	p->ids = end;
}

bool sis__region_may_be_off(uint32_t id)
{
	const struct sis_region_fact *fact = sis__region_fact(id);
	return id >= SIS_FIRST_UNIT_ID && fact->routine == SIS_MPI_ROUTINES &&
		fact->type != CR_P && sis_region_sampled(fact->type);
}
