/* SPDX-License-Identifier: BSD-3-Clause */
/* user_value.c - numbers that the program gives (SIS_VALUE), kept for the current node. The thread
 * whose slot it is adds values; any thread adds names.
 *
 * A node has no room for these values. So each pair of node and name has a block, in separate
 * chunks. The block that was used last is remembered; others are found by a hash table in private
 * memory.
 */
#include "base/lock.h"
#include "output/profile/store.h"
#include "output/profile/text.h"
#include "output/trace/tracing.h"
#include "adapters/user_api/user_api.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

enum { NAMES = 1000, TABLE_FIRST = 256, CHUNK_BYTES = 16 << 10 };

struct sis_user_table {
	uint64_t slots, used;
	struct sis_user_value *last; /* the block that was used last; NULL: none yet */
	struct sis_user_value *slot[];
};

/* -- names ------------------------------------------------------------------------------------- */

static const char *names[NAMES + 1]; /* by id, from 1 */
static uint32_t name_count;
static struct sis_lock lock; /* guards names and name_count */

/* -- the table --------------------------------------------------------------------------------- */

static struct sis_user_value **slot_of(struct sis_user_table *table, const struct sis_node *node,
				       uint32_t id)
{
	for (uint64_t i = sis_hash_mix(((uintptr_t)node >> 5) + id);; i++) {
		struct sis_user_value **slot = &table->slot[i & (table->slots - 1)];
		if (!*slot || ((*slot)->node == node && (*slot)->id == id))
			return slot;
	}
}

static uint64_t table_bytes(uint64_t slots)
{
	return sizeof(struct sis_user_table) + slots * sizeof(struct sis_user_value *);
}

/* Makes room for one more block; false: no memory. */
static bool reserve(struct sis_thread *thread)
{
	struct sis_user_table *old = thread->user;
	if (old && (old->used + 1) * 2 <= old->slots)
		return true;
	uint64_t slots = old ? old->slots * 2 : TABLE_FIRST;
	struct sis_user_table *table = mmap(NULL, table_bytes(slots), PROT_READ | PROT_WRITE,
					    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (table == MAP_FAILED)
		return false;
	table->slots = slots;
	for (uint64_t i = 0; old && i < old->slots; i++)
		if (old->slot[i])
			*slot_of(table, old->slot[i]->node, old->slot[i]->id) = old->slot[i];
	table->used = old ? old->used : 0;
	table->last = old ? old->last : NULL;
	thread->user = table;
	if (old)
		munmap(old, table_bytes(old->slots));
	return true;
}

static struct sis_user_value *value_new(struct sis_thread *thread, struct sis_node *node,
					uint32_t id)
{
	struct sis_user_value *value = NULL;
	if (reserve(thread))
		value = sis__from_chunk(thread, &thread->user_values, SIS_CHUNK_USER_VALUES,
					sizeof *value, CHUNK_BYTES);
	if (!value)
		return NULL;
	*value = (struct sis_user_value){ .node = node, .id = id, .min = INFINITY,
		.max = -INFINITY };
	thread->user_values->used += sizeof *value;
	*slot_of(thread->user, node, id) = value;
	thread->user->used++;
	return value;
}

static struct sis_user_value *value_at(struct sis_thread *thread, struct sis_node *node,
				       uint32_t id)
{
	struct sis_user_value *value = thread->user ? *slot_of(thread->user, node, id) : NULL;
	if (!value) {
		sigset_t before;
		sis__guard_alone(&before);
		value = value_new(thread, node, id);
		sis__unguard_alone(&before);
	}
	if (value)
		thread->user->last = value;
	else
		thread->pub.dropped_nodes++;
	return value;
}

/* -- for the program --------------------------------------------------------------------------- */

/* Finds the name, or adds it. Returns its id; 0: no room, or the lock is not free. */
static uint32_t ask_id(struct sis_counted *counted)
{
	const char *name = counted->name;
	uint32_t id = 0;
	sigset_t before;
	sis__guard_alone(&before);
	if (sis__lock(&lock)) {
		id = 1;
		while (id <= name_count && strcmp(names[id], name) != 0)
			id++;
		if (id > NAMES) {
			id = 0;
		} else if (id > name_count) {
			names[id] = sis__keep(name, strlen(name) + 1);
			if (names[id]) {
				sis__text("value", "%u\t%s", ++name_count, name);
				sis__trace_define(SIS_TRACE_VALUE, id, names[id], strlen(name));
			} else {
				id = 0;
			}
		}
		sis__unlock(&lock);
	}
	sis__unguard_alone(&before);
	__atomic_store_n(&counted->id, id, __ATOMIC_RELAXED); /* all threads store the same */
	return id;
}

void sis__value_add(struct sis_thread *thread, struct sis_node *node, struct sis_counted *counted,
		    const struct sis_user_value *sum)
{
	uint32_t id = __atomic_load_n(&counted->id, __ATOMIC_RELAXED);
	if (sum->count == 0 || (id == 0 && (id = ask_id(counted)) == 0))
		return;
	struct sis_user_value *value = value_at(thread, node, id);
	if (!value)
		return;
	value->count += sum->count;
	value->sum += sum->sum;
	value->min = sum->min < value->min ? sum->min : value->min;
	value->max = sum->max > value->max ? sum->max : value->max;
}

/* Infinities and NaN are ignored, because they would spoil the sum. */
static __attribute__((noinline)) void hand_value(struct sis_counted *counted, double x)
{
	struct sis_thread *thread = sis__thread();
	if (!thread || !isfinite(x))
		return;
	uint32_t id = __atomic_load_n(&counted->id, __ATOMIC_RELAXED);
	if (SIS_UNLIKELY(id == 0))
		id = ask_id(counted);
	if (id == 0)
		return;
	struct sis_user_value *value = thread->user ? thread->user->last : NULL;
	if (!value || value->node != thread->pub.current || value->id != id)
		value = value_at(thread, thread->pub.current, id);
	if (!value)
		return;
	if (thread->trace)
		sis__trace_value(thread, id, x, sis__ticks());
	value->count++;
	value->sum += x;
	value->min = x < value->min ? x : value->min;
	value->max = x > value->max ? x : value->max;
}

SIS_EXPORT void sis_hand_value(struct sis_counted *counted, double x)
{
	int saved = errno;
	unsigned long long program = sis__arithmetic_begin();
	hand_value(counted, x);
	sis__arithmetic_end(program);
	errno = saved;
}
