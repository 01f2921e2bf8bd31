/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_cost.c - measures what the wrapper of a call costs on this machine. Called by the thread that
 * initializes MPI, with the state of a scratch thread. process/calibrate.c does the same for
 * probes, which cost less.
 *
 * The calls that are measured here announce a site, take the fast path without PMPI, and have a
 * message with an expected record. The time between the wrapper's two clock reads is inside the
 * call's region. The rest is in the region around it. Polls have no record, and the budget may time
 * one in N of them. So polls have the same kinds of costs as functions (process/calibrate.c).
 * LIMIT: a call with a request costs some 5 to 10 ns more, for the table of requests. These, and
 * the additional costs of slower paths, count as work of the region around the call.
 */
#include <signal.h>

#include "base/signal_mask.h"
#include "output/profile/text.h"
#include "adapters/mpi/mpi_fast_path.h"

enum { CALLS = 64, ROUNDS = 16, SITE = SIS_FIRST_UNIT_ID, ROUTINE = SIS_ROUTINE_MPI_Send,
       SELDOM_CHOSEN = 1 << 20 };

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

static __attribute__((noinline)) void ask(bool timed)
{
	struct sis_mpi_call quick;
	char frame;
	scratch.node.rung = timed ? SIS_RUNG_FULL : SIS_RUNG_FRACTION;
	if (!sis__mpi_begin_quick_poll(&quick, (uintptr_t)&frame, ROUTINE))
		return;
	sis__mpi_end_quick_poll(&quick, true);
}

enum what { MESSAGE, ASK, ASK_SELDOM_TIMED };

struct cost {
	uint64_t ticks, inside; /* of CALLS calls; `inside` is the part inside of the region */
};

/* With ASK_SELDOM_TIMED, one of each SIS_FRACTION calls is timed. The processor cannot predict
 * which one. */
static struct cost quickest(enum what what)
{
	struct cost best = { .ticks = UINT64_MAX };
	for (unsigned k = 0; k < ROUNDS * CALLS;) {
		clear_log(&scratch.thread);
		scratch.node.total = 0;
		uint64_t begin = sis__ticks();
		for (unsigned end = k + CALLS; k < end; k++) {
			announce(&scratch.thread);
			if (what == MESSAGE)
				call(0);
			else
				ask(what == ASK ||
				    k % SIS_FRACTION ==
					    (k / SIS_FRACTION * 0x9e3779b9u >> 16) % SIS_FRACTION);
		}
		struct cost cost = { sis__ticks() - begin, scratch.node.total };
		if (cost.ticks < best.ticks)
			best = cost;
	}
	return best;
}

/* Signals are blocked, because no signal handler may see the scratch thread. */
void sis__mpi_cost_note(void)
{
	struct sis__thread *self = sis__self;
	struct sis_mpi_outermost outermost = sis__mpi_outermost;
	unsigned visits = sis__visits_left, timing = sis__timing, seldom_chosen = SELDOM_CHOSEN;
	sigset_t all, before;
	struct sis__fp program = sis__fp_begin();
	sigfillset(&all);
	sis__signal_mask(SIG_SETMASK, &all, &before);
	struct sis_node *root = &scratch.root, *node = &scratch.node;
	*root = (struct sis_node){ .region = RT_RUN, .last_child = node, .children = 1 };
	*node = (struct sis_node){ .region = SITE, .parent = root, .next = node, .last_child = node,
				   .min = UINT64_MAX, .values = &scratch.messages.values };
	scratch.thread.pub.current = scratch.thread.pub.root = root;
	scratch.thread.phase_due = UINT64_MAX;
	clear_log(&scratch.thread);
	sis__mpi_outermost.frame = 0;
	sis__visits_left = 0;
	__atomic_store_n(&sis__timing, SELDOM_CHOSEN, __ATOMIC_RELAXED); /* all values are valid */
	sis__self = (struct sis__thread *)&scratch.thread;
	struct cost message = quickest(MESSAGE), asked = quickest(ASK);
	struct cost seldom = quickest(ASK_SELDOM_TIMED);
	sis__self = self;
	sis__visits_left = visits;
	/* restores the value, unless another thread has changed it */
	__atomic_compare_exchange_n(&sis__timing, &seldom_chosen, timing, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
	sis__mpi_outermost = outermost;
	sis__signal_mask(SIG_SETMASK, &before, NULL);
	/* computed like sis__sampling_excess (process/calibrate.c) */
	double half = (double)seldom.ticks / CALLS / 2;
	double timed = (double)seldom.inside / (CALLS / SIS_FRACTION);
	sis__mpi_ask_excess = timed > half ? (unsigned)(timed - half) : 0;
	double ns = 1e9 / (double)sis__header()->ticks_per_second / CALLS;
	sis__text("mpi_call", "%.2f\t%.2f", (double)message.inside * ns,
		  (double)(message.ticks - message.inside) * ns);
	sis__text("mpi_ask", "%.2f\t%.2f\t%.2f", (double)asked.inside * ns,
		  (double)(asked.ticks - asked.inside) * ns, (double)seldom.ticks * ns);
	sis__fp_end(&program);
}
