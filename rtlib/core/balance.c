/* SPDX-License-Identifier: BSD-3-Clause */
/* balance.c - debug builds report which regions did not balance: they were left when they were not
 * open, or not left at all. Any thread notes them; the one that ends the process prints them. All
 * builds count them, in the thread's `mismatched` and `unwound`. What longjmp leaves open is
 * reported, too, because no probe can distinguish it.
 */
#include "profile/store.h"
#include "core/balance.h"

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
		__atomic_fetch_add(&kept[i].count[what], 1, __ATOMIC_RELAXED); /* only a number */
		return;
	}
}

/* The value of a region's `name` in its unit's description, as JSON has it; NULL: not found. */
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
