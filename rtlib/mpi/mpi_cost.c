/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_cost.c - measures what the wrapper of a call costs here, beside the call: a pair of probes
 * costs less. The thread that initializes MPI, with a scratch thread's state (process/calibrate.c
 * does the same for probes).
 *
 * A call here has the announcement of its site, the fast path without PMPI, and a message with a
 * record that is due. The time between the wrapper's two clock reads is inside the call's region,
 * the rest is in the region around it.
 * LIMIT: for a request the table of requests costs some 5 to 10 ns more, which stay work of the
 * region around the call. Slower paths cost more, too.
 */
#include <signal.h>

#include "base/signal_mask.h"
#include "profile/text.h"
#include "mpi/mpi_fast_path.h"

enum { CALLS = 64, ROUNDS = 16, SITE = SIS_FIRST_UNIT_ID, ROUTINE = SIS_ROUTINE_MPI_Send };

static struct scratch {
	struct sis_thread thread;
	struct sis_node root, node;
	union {
		struct sis_values values;
		char room[512]; /* four metrics */
	} messages;
	struct {
		struct sis_chunk chunk;
		char room[CALLS * sizeof(struct sis_record)];
	} log;
	struct sis_record_place place[SIS_RECORD_SHAPES];
} scratch;

static void clear_log(struct sis_thread *thread)
{
	sis_record_pack_begin(&thread->record_pack, scratch.place);
	scratch.place->shape.node = (uintptr_t)&scratch.root; /* for sis__record_due */
	thread->records = &scratch.log.chunk;
	thread->record_next = scratch.log.room;
	thread->record_end = scratch.log.room + sizeof scratch.log.room;
}

static void prepare(void)
{
	struct sis_node *root = &scratch.root, *node = &scratch.node;
	struct sis_thread *thread = &scratch.thread;
	*root = (struct sis_node){ .region = RT_RUN, .last_child = node, .children = 1 };
	*node = (struct sis_node){ .region = SITE, .parent = root, .next = node, .last_child = node,
				   .min = UINT64_MAX, .values = &scratch.messages.values };
	thread->pub.current = thread->pub.root = root;
	thread->phase_due = UINT64_MAX;
	clear_log(thread);
}

static __attribute__((noinline)) void announce(struct sis_thread *thread)
{
	thread->site[thread->sites++] = (struct sis_site){ SITE, ROUTINE, thread->pub.current };
}

static __attribute__((noinline)) void call(int peer)
{
	struct sis_mpi_call quick;
	char frame;
	if (!sis__mpi_begin_quick_call(&quick, (uintptr_t)&frame, ROUTINE))
		return;
	sis__mpi_end_quick(&quick);
	sis__mpi_sent(&quick, 0, 8, peer, 0, MPI_COMM_WORLD);
}

/* The ticks of the quickest round; *inner are those inside the region. */
static uint64_t quickest(uint64_t *inner)
{
	uint64_t best = UINT64_MAX;
	for (int round = 0; round < ROUNDS; round++) {
		clear_log(&scratch.thread);
		scratch.node.total = 0;
		uint64_t begin = sis__ticks();
		for (int i = 0; i < CALLS; i++) {
			announce(&scratch.thread);
			call(0);
		}
		uint64_t ticks = sis__ticks() - begin;
		if (ticks < best) {
			best = ticks;
			*inner = scratch.node.total;
		}
	}
	return best;
}

/* No signal handler may see the scratch thread. */
void sis__mpi_cost_note(void)
{
	struct sis__thread *self = sis__self;
	struct sis_mpi_outermost outermost = sis__mpi_outermost;
	sigset_t all, before;
	uint64_t inner = 0;
	sigfillset(&all);
	sis__signal_mask(SIG_SETMASK, &all, &before);
	prepare();
	sis__mpi_outermost.frame = 0;
	sis__self = (struct sis__thread *)&scratch.thread;
	uint64_t ticks = quickest(&inner);
	sis__self = self;
	sis__mpi_outermost = outermost;
	sis__signal_mask(SIG_SETMASK, &before, NULL);
	double ns = 1e9 / (double)sis__header()->ticks_per_second / CALLS;
	sis__text("mpi_call", "%.2f\t%.2f", (double)inner * ns, (double)(ticks - inner) * ns);
}
