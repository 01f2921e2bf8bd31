/* SPDX-License-Identifier: BSD-3-Clause */
/* access_table.c - finds equal accesses by a hash table, whose entries point into the file. Runs in
 * the handler of the samples' signal: no lock, no allocation.
 *
 * A loop over a large array accesses a new address in each sample. So only the first addresses are
 * stored exactly; later ones are rounded to their page. All accesses to one allocation have the
 * same record.
 */
#include "base/seqlock.h"
#include "blame/stacks/access_table.h"

#include <string.h>

/* Two accesses are equal if all members before `count` are. */
enum { HEAD = offsetof(struct sis_access, count) };

static struct sis_access **slot_of(struct sis_access_table *table, const struct sis_access *key)
{
	for (uint64_t i = sis_checksum(key, HEAD);; i++) {
		struct sis_access **slot = &table->slot[i % SIS_ACCESS_SLOTS];
		if (!*slot || memcmp(*slot, key, HEAD) == 0)
			return slot;
	}
}

static struct sis_access *append(struct sis_access_table *table, const struct sis_access *key)
{
	struct sis_access *access = sis__filling_room(&table->filling, sizeof *access);
	if (!access)
		return NULL;
	*access = *key;
	access->count = access->weight = 0;
	sis__filling_done(&table->filling, sizeof *access);
	return access;
}

static bool is_address(const struct sis_access *key)
{
	return key->kind == SIS_ACCESS_STATIC || key->kind == SIS_ACCESS_STACK ||
	       key->kind == SIS_ACCESS_THREAD_LOCAL;
}

static struct sis_access *new_in(struct sis_access_table *table, struct sis_access **slot,
				 const struct sis_access *key)
{
	if (table->records == SIS_ACCESSES_MOST)
		return NULL;
	*slot = append(table, key);
	SIS_SET(table->records, table->records + (*slot != NULL));
	table->exact += *slot && is_address(key);
	return *slot;
}

static struct sis_access *find_or_add(struct sis_access_table *table, const struct sis_access *key)
{
	struct sis_access **slot = slot_of(table, key);
	if (*slot)
		return *slot;
	if (!is_address(key) || table->exact < SIS_ACCESSES_EXACT)
		return new_in(table, slot, key);
	struct sis_access page = *key;
	page.flags |= SIS_ACCESS_COARSE;
	if (key->kind == SIS_ACCESS_STATIC)
		page.place &= ~(uint64_t)(SIS_PAGE - 1);
	else
		page.offset &= ~(int64_t)(SIS_PAGE - 1);
	slot = slot_of(table, &page);
	return *slot ? *slot : new_in(table, slot, &page);
}

bool sis__access_add(struct sis_access_table *table, const struct sis_access *key, uint64_t count,
		     uint64_t weight)
{
	/* Makes the record for the rest first, while there is room. Readers skip a record without a
	 * kind. */
	if (!table->rest)
		table->rest = append(table, &(const struct sis_access){ .slot = SIS_NO_SLOT });
	struct sis_access *access = find_or_add(table, key);
	if (!access && table->rest) {
		access = table->rest;
		access->kind = SIS_ACCESS_UNKNOWN;
	}
	if (!access)
		return false;
	access->count += count;
	access->weight += weight;
	return true;
}
