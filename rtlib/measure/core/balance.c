/* SPDX-License-Identifier: BSD-3-Clause */
/* balance.c - debug builds report regions that were left when they were not open, or that were not
 * left at all. Any thread notes such regions; the thread that ends the process prints them. All
 * builds count these cases in the thread's `mismatched` and `unwound`. Regions that longjmp leaves
 * open are reported, too, because a probe cannot distinguish them from regions that were not left.
 */
#include "output/profile/store.h"
#include "measure/core/balance.h"

#ifdef SIS_DEBUG

#include <stdio.h>
#include <string.h>

enum { KEPT = 64 };
static struct { uint32_t id, count[2]; } kept[KEPT];

void sis__imbalance(uint32_t id, enum sis_imbalance what)
{
	for (int i = 0; i < KEPT; i++) {
		uint32_t none = 0;
		__atomic_compare_exchange_n(&kept[i].id, &none, id, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED);
		if (__atomic_load_n(&kept[i].id, __ATOMIC_RELAXED) != id)
			continue;
		__atomic_fetch_add(&kept[i].count[what], 1, __ATOMIC_RELAXED); /* a counter */
		return;
	}
}

/* Finds the value of a region's `name` in its unit's description, as a JSON string. NULL: not
 * found. */
static const char *name_in_unit(const struct sis_profile_unit *unit, uint32_t id, int *length)
{
	static const char key[] = "\"name\":\"";
	const char *at = memmem(unit + 1, unit->length, "\"regions\":[", 11),
		   *end = (const char *)(unit + 1) + unit->length;
	for (uint32_t k = 0; at && k <= id - unit->first_id; k++) {
		at = memmem(at, (size_t)(end - at), key, sizeof key - 1);
		at = at ? at + sizeof key - 1 : NULL;
	}
	*length = at ? (int)strcspn(at, "\"") : 0;
	return at;
}

static const char *name_of(uint32_t id, int *length)
{
	struct sis_chunk *chunk = NULL;
	while (id >= SIS_FIRST_UNIT_ID && (chunk = sis__chunk_next(sis__store.base, chunk))) {
		const struct sis_profile_unit *unit = sis__payload(chunk);
		if (chunk->kind == SIS_CHUNK_UNIT && id - unit->first_id < unit->count)
			return name_in_unit(unit, id, length);
	}
	const char *name = id < SIS_FIRST_UNIT_ID ? sis_builtin_name(id) : "?";
	*length = (int)strlen(name);
	return name;
}

void sis__imbalances_print(void)
{
	static const char *const what[] = { "left when it was not open", "not left" };
	for (int i = 0; i < KEPT && kept[i].id; i++)
		for (int k = 0; k < 2; k++) {
			int length;
			const char *name = name_of(kept[i].id, &length);
			if (kept[i].count[k])
				fprintf(stderr,
					"sis: debug: region '%.*s' (%u) was %s, times: %u\n",
					length, name ? name : "?", kept[i].id, what[k],
					kept[i].count[k]);
		}
}

#endif
