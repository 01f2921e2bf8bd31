/* SPDX-License-Identifier: BSD-3-Clause */
/* slot.c - the slots of a process (processing units); one thread at a time fills a slot. Called by
 * any thread that begins or ends, and by adapters/omp/ and adapters/ompt/ for members of teams.
 *
 * A new thread gets the smallest free slot, so there are never more slots than threads that were
 * alive at once. A slot that is used again continues its tree. base/slot_table.c has which slots
 * are taken.
 */
#include "base/config.h"
#include "base/lock.h"
#include "base/slot_table.h"
#include "output/profile/store.h"
#include "output/trace/tracing.h"
#include "measure/core/drg.h"
#include "measure/core/fold.h"
#include "measure/core/record_log.h"
#include "measure/core/slot.h"

static struct sis_lock slots_lock;     /* held while the state of a slot is made */

static void note_slots(uint32_t count)
{
	uint32_t *most = &sis__header()->max_slots;
	uint32_t seen = __atomic_load_n(most, __ATOMIC_RELAXED);
	while (seen < count && !__atomic_compare_exchange_n(most, &seen, count, true,
							    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

static struct sis_thread *make_slot(uint32_t slot)
{
	if (!sis__lock(&slots_lock))
		return NULL;
	struct sis_thread *thread = sis__slot(slot);
	struct sis_chunk *chunk = thread ? NULL
					 : sis__chunk_new(SIS_CHUNK_THREAD, slot, sizeof *thread);
	if (chunk) {
		thread = sis__payload(chunk);
		thread->pub.slot = slot;
		thread->record_pack = (struct sis_record_pack)SIS_NO_PACK;
		thread->trace = sis__config.trace.mode ? &sis__no_stream : NULL;
		thread->pub.root = thread->pub.current = sis__root_new(thread);
		if (thread->pub.root) {
			chunk->used = sizeof *thread;
			sis__slot_set(slot, thread);
		} else {
			chunk->kind = SIS_CHUNK_TEXT; /* an empty one */
			thread = NULL;
		}
	}
	sis__unlock(&slots_lock);
	return thread;
}

static void open_root(struct sis_thread *thread, uint64_t now)
{
	struct sis_node *root = thread->pub.root;
	root->calls++;
	root->start = thread->pub.stamp = now;
	thread->pub.current = root;
}

static bool initial_ended; /* the initial thread has ended by pthread_exit */

bool sis__slot_has_lives(uint32_t slot)
{
	return slot != 0 || __atomic_load_n(&initial_ended, __ATOMIC_RELAXED); /* only of slot 0 */
}

SIS_EXPORT struct sis_thread *sis__slot_take(void)
{
	if (!sis__store_is_live())
		return NULL;
	uint32_t slot = sis__slot_claim();
	if (slot == SIS_NO_SLOT)
		return NULL;
	struct sis_thread *thread = sis__slot(slot);
	if (SIS_UNLIKELY(!thread)) {
		sigset_t before;
		sis__guard_alone(&before);
		thread = make_slot(slot);
		sis__unguard_alone(&before);
	}
	if (!thread) {
		sis__slot_free(slot);
		return NULL;
	}
	if (sis__slot_has_lives(slot) || thread->pub.root->calls == 0)
		open_root(thread, sis__ticks());
	note_slots(slot + 1);
	return thread;
}

static void release_at(struct sis_thread *thread, uint64_t now)
{
	sis__close_path(thread, now);
	sis__fold_release(thread);
	if (sis__slot_has_lives(thread->pub.slot)) {
		sis__close_root(thread, now);
		/* a reader of the running file finds that the root has been open for no time */
		thread->pub.root->start = thread->pub.stamp;
	}
	thread->team = NULL;
	thread->sites = 0;
	thread->stack_origin = 0;
	thread->task_stack = NULL;
	for (unsigned i = 0; i < SIS_HELD; i++)
		__atomic_store_n(&thread->held[i], NULL, __ATOMIC_RELAXED); /* others read this */
	sis__slot_free(thread->pub.slot);
}

/* The time after `end` is excluded by moving the start of the root. The clock is read once, since
 * the caller may lose its processor between two readings. */
SIS_EXPORT void sis__slot_release(struct sis_thread *thread, uint64_t end)
{
	uint64_t now = sis__ticks();
	end = end > thread->pub.stamp ? end : thread->pub.stamp; /* a signal handler may be later */
	if (thread->pub.slot)
		thread->pub.root->start += now - end;
	release_at(thread, now);
}

void sis__slot_end(struct sis_thread *thread)
{
	uint64_t now = sis__ticks();
	struct sis_node *root = thread->pub.root;
	if (thread->pub.slot == 0) /* set before another thread can fill the slot */
		__atomic_store_n(&initial_ended, true, __ATOMIC_RELAXED);
	sis__record_put(thread, &(struct sis_record){ .kind = SIS_RECORD_LIFE,
						      .enter = root->start,
						      .exit = now,
						      .node = root,
						      .peer = -1,
						      .tag = -1 });
	release_at(thread, now);
}

void sis__slots_init(void)
{
	struct sis_thread *initial;
	initial_ended = false;
	sis__slot_reserve_first();
	initial = make_slot(0);
	if (initial)
		open_root(initial, sis__header()->start.ticks);
	note_slots(1);
}

void sis__slots_commit(void)
{
	uint32_t count = __atomic_load_n(&sis__header()->max_slots, __ATOMIC_RELAXED);
	for (uint32_t slot = 0; slot < count; slot++)
		if (sis__slot(slot))
			sis__record_commit(sis__slot(slot));
}

void sis__slots_keep(struct sis_thread *kept)
{
	sis__slot_table_keep(kept);
	sis__header()->max_slots = 1;
}
