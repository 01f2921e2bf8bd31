/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_call.c - begin and end of a wrapped call of MPI. Called by any thread that calls MPI.
 *
 * A call is one node. The call's region is the region that the source announced (SIS_SITE), or the
 * routine's own region. The thread is not marked `inside` during the call, so that callbacks of the
 * program (reduction operators, attribute copies) are measured as children of the call. Only
 * wrapped calls of MPI inside this call are not measured.
 */
#include "measure/counters/metric_set.h"
#include "measure/core/drg.h"
#include "measure/core/site.h"
#include "adapters/mpi/mpi_fast_path.h"

bool sis__mpi_threads = true;
bool sis__mpi_may_be_quick;
unsigned sis__mpi_ask_excess;

__thread struct sis_mpi_outermost sis__mpi_outermost __attribute__((tls_model("initial-exec")));

/* -- begin ------------------------------------------------------------------------------------- */

/* Begins a call that is not the outermost one, or does not take the fast path. */
static struct sis_thread *begin(struct sis_mpi_call *call, uintptr_t frame)
{
	uintptr_t before = sis__mpi_outermost.frame;
	call->thread = NULL;
	call->untimed = false;
	call->nested = before > frame;
	if (call->nested)
		return NULL;
	struct sis_thread *thread = sis__off ? NULL : sis__thread();
	/* If a call was left by a jump, its node may be closed already, because a region around it
	 * was left. */
	if (before != 0 && thread && sis__is_open(thread, sis__mpi_outermost.node))
		sis__end(thread, sis__mpi_outermost.node, sis__ticks());
	sis__mpi_outermost.frame = frame;
	sis__mpi_outermost.node = NULL;
	return thread;
}

static void activate(struct sis_mpi_call *call, struct sis_thread *thread, uint32_t routine,
		     uint64_t now)
{
	uint32_t id = sis__caller_region(sis__site_take(thread, routine));
	call->enter = now;
	call->plain = sis__region_fact(id)->set == 0 && !thread->trace;
	sis__mpi_outermost.node = call->node = sis__begin(thread, id, now);
	if (call->node)
		call->thread = thread;
}

static __attribute__((noinline)) void begin_slow(struct sis_mpi_call *call, uintptr_t frame,
						 uint32_t routine)
{
	struct sis_thread *thread = begin(call, frame);
	if (!thread)
		return;
	uint64_t now = sis__ticks();
	struct sis_record *phase = sis__mpi_message_phase(thread, &now);
	activate(call, thread, routine, now);
	if (phase && call->node)
		phase->node = call->node;
}

static __attribute__((noinline)) void begin_collective_slow(struct sis_mpi_call *call,
							    uintptr_t frame, uint32_t routine)
{
	struct sis_thread *thread = begin(call, frame);
	if (!thread)
		return;
	uint64_t now = sis__ticks();
	struct sis_record *phase = sis__mpi_phase(thread, routine == SIS_ROUTINE_MPI_Finalize,
						  &now);
	activate(call, thread, routine, now);
	if (phase && call->node)
		phase->node = call->node;
}

void sis__mpi_begin_in(struct sis_mpi_call *call, uintptr_t frame, uint32_t routine)
{
	if (!sis__mpi_begin_quick_call(call, frame, routine))
		begin_slow(call, frame, routine);
}

void sis__mpi_begin_poll_in(struct sis_mpi_call *call, uintptr_t frame, uint32_t routine)
{
	if (!sis__mpi_begin_quick_poll(call, frame, routine))
		begin_slow(call, frame, routine);
}

void sis__mpi_begin_collective_in(struct sis_mpi_call *call, uintptr_t frame, uint32_t routine)
{
	if (!sis__mpi_begin_quick_collective(call, frame, routine))
		begin_collective_slow(call, frame, routine);
}

/* -- end --------------------------------------------------------------------------------------- */

void sis__mpi_end_slow(struct sis_mpi_call *call)
{
	if (call->nested)
		return;
	sis__mpi_outermost.frame = 0;
	if (!call->thread)
		return;
	call->exit = sis__ticks();
	sis__end(call->thread, call->node, call->exit);
	if (call->exit >= call->enter + sis__mpi_long)
		sis__no_processor_note();
}

void sis__mpi_end(struct sis_mpi_call *call)
{
	struct sis_thread *thread = call->thread;
	if (SIS_LIKELY(thread && call->plain && sis__mpi_may_be_quick))
		sis__mpi_end_quick(call);
	else
		sis__mpi_end_slow(call);
}

void sis__mpi_end_poll(struct sis_mpi_call *call, bool in_vain)
{
	struct sis_thread *thread = call->thread;
	if (SIS_LIKELY(thread && call->plain && sis__mpi_may_be_quick))
		sis__mpi_end_quick_poll(call, in_vain);
	else
		sis__mpi_end_slow(call);
}

/* For a poll that was not timed, only the end is known. The begin is estimated: the poll took at
 * least as long as the shortest poll, and began after the thread's last probe. */
void sis__mpi_end_poll_slow(struct sis_mpi_call *call)
{
	struct sis_thread *thread = call->thread;
	struct sis_node *node = call->node;
	sis__mpi_outermost.frame = 0;
	uint64_t ticks = call->exit > call->enter ? call->exit - call->enter : 0;
	if (!call->untimed) {
		uint64_t excess = sis__mpi_ask_excess;
		uint64_t counted = sis__count_one_in((struct sis__node *)node,
						     ticks > excess ? ticks - excess : 0);
		sis__end_activation((struct sis__thread *)thread, (struct sis__node *)node,
				    call->exit, ticks, counted);
		sis__add_inside_of(node->parent, counted);
		return;
	}
	call->enter = call->exit - (node->min < ticks ? node->min : ticks);
	thread->pub.stamp = call->exit;
	thread->pub.current = node->parent;
}

void sis__mpi_record_slow(struct sis_thread *thread, const struct sis_record *record)
{
	sis__record_put(thread, record);
}

struct sis_values *sis__mpi_values_slow(struct sis_thread *thread, struct sis_node *node)
{
	return sis__values(thread, node, sis__set_messages);
}
