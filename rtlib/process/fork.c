/* SPDX-License-Identifier: BSD-3-Clause */
/* fork.c - gives a forked child a file of its own. The file is made when the child first enters or
 * leaves a region. Called by the thread that forks, in the handlers of pthread_atfork, or around
 * _Fork (fork_bare.c). vfork, posix_spawn and system do not call this.
 *
 * The mapping is shared with the parent, and the child's stack has pointers into it. So the memory
 * in use is copied before the fork, and the child moves the copy to the address of the mapping. The
 * child keeps the forking thread's tree, with counts of zero and open activations that begin at the
 * fork. It drops the trees of all other threads, because it has only the forking thread. The
 * store's lock is held from the making of the copy until it is used or freed, so that only one
 * thread forks at a time.
 */
#include "base/clock.h"
#include "base/config.h"
#include "base/lock.h"
#include "base/modules.h"
#include "base/thread_variables.h"
#include "measure/patch/objects.h"
#include "output/profile/store.h"
#include "output/profile/switched.h"
#include "output/run/directory.h"
#include "output/trace/tracing.h"
#include "measure/wait_causes/interval.h"
#include "output/merged_file/unify.h"
#include "measure/core/fold.h"
#include "measure/core/slot.h"
#include "measure/control/control.h"
#include "process/clock_watch.h"
#include "process/exit_race.h"
#include "process/fork.h"
#include "measure/sampling/sampling.h"
#include "blame/stacks/samples.h"
#include "process/sensor.h"
#include "measure/sampling/switches.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char *copy;           /* of [base, base + copied). The store's lock guards both */
static uint64_t copied;
static __thread bool handled; /* this thread is between the handlers of a fork */
static __thread bool text_locked; /* it holds the lock of the text */
static __thread bool locked; /* this thread forks, and holds the store's lock */

/* Whether the child keeps the chunk's content. It keeps most chunks of its own thread and of the
 * process, but no records, samples and sums. */
static bool is_kept(const struct sis_chunk *chunk)
{
	if (chunk->kind == SIS_CHUNK_RECORDS || chunk->kind == SIS_CHUNK_SENSORS ||
	    chunk->kind == SIS_CHUNK_CULPRITS || chunk->kind == SIS_CHUNK_POLLS ||
	    chunk->kind == SIS_CHUNK_SWITCHED ||
	    chunk->kind == SIS_CHUNK_UNSCHEDULED)
		return false;
	return chunk->slot == SIS_NO_SLOT ||
	       (sis__local.own && chunk->slot == sis__local.own->pub.slot);
}

static void make_copy(void)
{
	struct sis_chunk *chunk = NULL;
	copied = sis__header()->size;
	copy = mmap(NULL, copied, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy == MAP_FAILED)
		copy = NULL;
	if (copy)
		memcpy(copy, sis__store.base, SIS_PAGE);
	while (copy && (chunk = sis__chunk_next(sis__store.base, chunk)))
		memcpy(copy + ((char *)chunk - sis__store.base), chunk,
		       is_kept(chunk) ? chunk->size : sizeof *chunk);
}

bool sis__fork_is_handled(void)
{
	return handled;
}

/* The lock of the text is held across the fork, because otherwise a child that is made while the
 * text changes could have gates between two states. */
static void unlock_text(void)
{
	if (text_locked)
		sis__unlock(&sis__objects_lock);
	text_locked = false;
}

void sis__fork_prepare(void)
{
	handled = true;
	if (sis__is_confined())
		return;
	sis__modules_lock();
	sis__variables_note(); /* first: it waits for threads in the dynamic linker */
	sis__stacks_fork_prepare();
	text_locked = sis__lock(&sis__objects_lock);
	if (!sis__store.base || !sis__header()->run_id[0])
		return;
	sis__guard();
	locked = sis__lock(&sis__store.lock);
	if (locked)
		make_copy();
	sis__unguard();
}

void sis__fork_parent(void)
{
	handled = false;
	if (sis__is_confined())
		return;
	if (locked) {
		if (copy)
			munmap(copy, copied);
		copy = NULL;
		locked = false;
		sis__unlock(&sis__store.lock);
	}
	unlock_text();
	sis__stacks_fork_parent();
	sis__modules_unlock();
}

/* -- the child --------------------------------------------------------------------------------- */

/* Moves the copy to the address of the file's mapping, and makes the rest of the range inaccessible
 * again. This does not use mremap, because libraries below MPI (UCX) interpose it with a function
 * that loses the new address. */
static bool replace_memory(void)
{
	char *base = sis__store.base;
	if (mmap(base + copied, sis__store.reserved - copied, PROT_NONE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
		return false;
	if (mmap(base, copied, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		 0) == MAP_FAILED)
		return false;
	memcpy(base, copy, copied);
	munmap(copy, copied);
	/* now the memory belongs to the child, and there is no file yet */
	sis__store.capacity = copied;
	sis__store_set_live(false);
	sis__store_full = 0;
	sis__store_frozen = sis__store_tried = false;
	sis__unify_new_process();
	sis__directory_new_process();
	return true;
}

static void restart_nodes(struct sis_chunk *chunk)
{
	struct sis_node *node = sis__payload(chunk);
	for (uint64_t i = 0; i < chunk->used / sizeof *node; i++) {
		node[i].start = node[i].calls = node[i].total = node[i].max = node[i].seen = 0;
		node[i].min = UINT64_MAX;
	}
}

/* Sets sums to zero. The counters of the child's thread begin at zero, so the readings at the start
 * of open activations become zero, too. */
static void restart_values(struct sis_chunk *chunk)
{
	char *at = sis__payload(chunk), *end = at + chunk->used;
	while (at < end) {
		struct sis_values *values = (struct sis_values *)at;
		for (uint32_t i = 0; i < values->count; i++)
			values->value[i].enter = values->value[i].sum = 0;
		at += sizeof *values + values->count * sizeof values->value[0];
	}
}

static void restart_estimates(struct sis_chunk *chunk)
{
	struct sis_estimate *estimate = sis__payload(chunk);
	for (uint64_t i = 0; i < chunk->used / sizeof *estimate; i++)
		estimate[i] = (struct sis_estimate){ .node = estimate[i].node,
						     .rungs = estimate[i].rungs,
						     .rung = estimate[i].rung };
}

/* The blocks stay where they are, because the thread's table points to them. A reader skips blocks
 * whose count is 0. */
static void restart_user_values(struct sis_chunk *chunk)
{
	struct sis_user_value *value = sis__payload(chunk);
	for (uint64_t i = 0; i < chunk->used / sizeof *value; i++) {
		value[i].count = 0;
		value[i].sum = 0;
		value[i].min = INFINITY;
		value[i].max = -INFINITY;
	}
}

static void restart_thread(struct sis_thread *thread, uint64_t now)
{
	struct sis_profile_thread *pub = &thread->pub;
	pub->slot = 0;
	pub->tid = (uint32_t)getpid();
	pub->mismatched = pub->unwound = pub->dropped_nodes = pub->dropped_records = pub->probes =
		0;
	pub->stamp = now;
	thread->estimates = NULL; /* chunks of the sampler have the same kind */
	thread->records = NULL; /* a new chunk also resets the memory for packing */
	thread->record_next = thread->record_end = thread->record_ready = NULL;
	thread->record_before = 0;
	sis__culprits_restart(thread);
	sis__intervals_restart(thread);
	thread->pauses = thread->pause = NULL;
	thread->stack_origin = 0;
	thread->task_stack = NULL;
	thread->trace = thread->trace ? &sis__no_stream : NULL;
	/* the parts of overlapping activations before the fork belong to the parent */
	for (uint32_t i = 0; i < thread->overlaps; i++)
		thread->overlap[i] = (struct sis_overlap){ .node = thread->overlap[i].node,
							   .first = thread->overlap[i].node,
							   .folds = thread->overlap[i].folds,
							   .stays = thread->overlap[i].stays };
	struct sis_activation at = sis__innermost(thread);
	for (; at.node; at = sis__outer(thread, at)) {
		at.node->calls++;
		if (at.node->start != SIS_START_SAMPLED)
			at.node->start = now;
		sis__fold_restart(thread, at, now);
	}
}

/* Chunks that are not kept become empty ones, because the addresses of other chunks must not
 * change. */
static void restart_chunks(void)
{
	struct sis_chunk *chunk = NULL;
	while ((chunk = sis__chunk_next(sis__store.base, chunk))) {
		if (!is_kept(chunk)) {
			chunk->kind = SIS_CHUNK_TEXT;
			chunk->slot = SIS_NO_SLOT;
			chunk->used = 0;
			continue;
		}
		if (chunk->slot != SIS_NO_SLOT)
			chunk->slot = 0;
		if (chunk->kind == SIS_CHUNK_NODES)
			restart_nodes(chunk);
		if (chunk->kind == SIS_CHUNK_VALUES)
			restart_values(chunk);
		if (chunk->kind == SIS_CHUNK_ESTIMATES)
			restart_estimates(chunk);
		if (chunk->kind == SIS_CHUNK_USER_VALUES)
			restart_user_values(chunk);
	}
}

static void restart_header(void)
{
	struct sis_profile_header *header = sis__header();
	header->parent_pid = header->pid;
	header->pid = (uint32_t)getpid();
	header->state = SIS_STATE_RUNNING;
	header->mpi_rank = -1;
	header->mpi_size = 0;
	header->looked = 0;
	sis__clock_mark(&header->start);
}

/* The child of a confined thread is confined, too. It is not measured, and does not change the
 * mapping, which belongs to its parent. */
static void leave_confined_child(void)
{
	__atomic_store_n(&sis__confined, SIS_CONFINED_ALL, __ATOMIC_RELAXED);
	sis__is_child = true;
	sis__config.enabled = false;
	sis__store_set_live(false);
	sis__local.own = NULL;
	sis__refresh();
}

void sis__fork_child(void)
{
	struct sis_thread *own = sis__local.own;
	bool copied_here = locked && copy;
	handled = false;
	if (sis__is_confined())
		return leave_confined_child();
	__atomic_store_n(&sis__confined, SIS_CONFINED_NONE, __ATOMIC_RELAXED);
	if (locked)
		sis__unlock(&sis__store.lock);
	locked = false;
	unlock_text();
	sis__is_child = true;
	sis__clock_watch_new_process();
	sis__stacks_new_process();
	sis__modules_unlock();
	sis__sections_new_process(); /* releases the last of the locks */
	if (!sis__store.base)
		return;
	sis__store_set_live(false);
	sis__ending_new_process();
	sis__sensors_new_process();
	sis__sampling_new_process();
	sis__switched_new_process();
	sis__switches_new_process();
	sis__control_new_process();
	sis__trace_new_process();
	sis__local.tid = 0;
	if (copied_here && replace_memory()) {
		restart_chunks(); /* uses the slot that the thread had */
		restart_header();
		if (own)
			restart_thread(own, sis__header()->start.ticks);
		sis__slots_keep(own);
	} else if (sis__header()->run_id[0]) {
		/* there was no memory for a copy: the child is not measured */
		sis__config.enabled = false;
		sis__local.own = NULL;
	} else {
		restart_header(); /* nothing was measured before the fork */
		sis__header()->parent_pid = 0;
	}
	copy = NULL;
	sis__refresh();
}

void sis__fork_init(void)
{
	sis__libc_pthread_create(); /* finds the function for children, too */
	pthread_atfork(sis__fork_prepare, sis__fork_parent, sis__fork_child);
}
