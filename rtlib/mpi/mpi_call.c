/* mpi_call.c - begin and end of a wrapped call of MPI. Called by whichever thread calls MPI.
 *
 * A call is one node: the region that the call's source announced (SIS_SITE), or the routine itself.
 * The thread is not marked `inside` for the time of the call, so that callbacks of the user (reduction
 * operators, attribute copies) are measured as children of the call; only wrapped calls from in there pass
 * through.
 */
#include "mpi/mpi_call.h"

bool sis__mpi_threads = true;

/* The outermost call under way in this thread. Calls made inside it have their frames below its own; when one comes
 * from above, it was left by a jump (an error handler's longjmp).
 * LIMIT: until then calls from deeper frames go unmeasured. */
static __thread struct {
	uintptr_t frame; /* 0: none */
	struct sis_node *node;
} outermost __attribute__((tls_model("initial-exec")));

/* The activation of a call that was left by a jump; it may have been closed with a region around it. */
static void abandon(struct sis_thread *thread)
{
	struct sis_node *node = thread->pub.current;
	while (node && node != outermost.node)
		node = node->parent;
	sis__end(thread, node, sis__ticks());
}

/* -- begin -------------------------------------------------------------------------------------------------- */

/* Of a call that is not measured, or not as it was the last time. */
static struct sis_thread *begin(struct sis_mpi_call *call)
{
	uintptr_t here = (uintptr_t)call, before = outermost.frame;
	call->thread = NULL;
	call->nested = before > here;
	if (call->nested)
		return NULL;
	struct sis_thread *thread = sis__thread();
	if (before != 0 && thread)
		abandon(thread);
	outermost.frame = here;
	outermost.node = NULL;
	return thread;
}

static void activate(struct sis_mpi_call *call, struct sis_thread *thread, uint32_t routine, uint64_t now)
{
	uint32_t id = sis__site_take(thread, routine);
	call->enter = now;
	call->plain = sis__region_fact(id)->set == 0 && !thread->trace;
	outermost.node = call->node = sis__begin(thread, id, now);
	if (call->node)
		call->thread = thread;
}

static __attribute__((noinline)) void begin_slow(struct sis_mpi_call *call, uint32_t routine)
{
	struct sis_thread *thread = begin(call);
	if (thread)
		activate(call, thread, routine, sis__ticks());
}

static __attribute__((noinline)) void begin_collective_slow(struct sis_mpi_call *call, uint32_t routine)
{
	struct sis_thread *thread = begin(call);
	if (!thread)
		return;
	uint64_t now = sis__ticks();
	struct sis_record *phase = sis__mpi_phase(thread, routine == SIS_ROUTINE_MPI_Finalize, &now);
	activate(call, thread, routine, now);
	if (phase && call->node)
		phase->node = call->node;
}

/* The node of a call that was announced by the last site, if it is the child entered last or the next one, as in a
 * loop: nothing is called, so that the wrapper has no registers to save. NULL: the slow way. */
static inline struct sis_node *same_again(const struct sis_thread *thread, uint32_t routine)
{
	if (SIS_UNLIKELY(thread->sites == 0 /* as of the empty thread */ || outermost.frame ||
			 !sis__clock_is_tsc))
		return NULL;
	const struct sis_site *site = &thread->site[thread->sites - 1];
	const struct sis_region_fact *fact = sis__region_fact(site->id);
	struct sis_node *node = thread->pub.current->last_child;
	node = node->region == site->id ? node : node->next;
	bool same = site->node == thread->pub.current && fact->routine == routine && fact->set == 0 &&
		    node->region == site->id;
	return SIS_LIKELY(same) ? node : NULL;
}

static inline void begin_again(struct sis_mpi_call *call, struct sis_thread *thread, struct sis_node *node, uint64_t now)
{
	thread->sites--;
	outermost.frame = (uintptr_t)call;
	outermost.node = node;
	*call = (struct sis_mpi_call){ .thread = thread, .node = node, .enter = now, .plain = true };
	node->calls++;
	node->start = thread->pub.stamp = now;
	node->parent->last_child = node;
	thread->pub.current = node;
}

void sis__mpi_begin(struct sis_mpi_call *call, uint32_t routine)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	struct sis_node *node = same_again(thread, routine);
	if (SIS_LIKELY(node != NULL))
		begin_again(call, thread, node, sis__ticks());
	else
		begin_slow(call, routine);
}

void sis__mpi_begin_collective(struct sis_mpi_call *call, uint32_t routine)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	struct sis_node *node = same_again(thread, routine);
	uint64_t now = SIS_LIKELY(node != NULL) ? sis__ticks() : 0;
	if (SIS_LIKELY(node != NULL && !sis__mpi_phase_is_due(thread, now)))
		begin_again(call, thread, node, now);
	else
		begin_collective_slow(call, routine);
}

/* -- end ------------------------------------------------------------------------------------------------------ */

static __attribute__((noinline)) void end_slow(struct sis_mpi_call *call)
{
	if (call->nested)
		return;
	outermost.frame = 0;
	if (!call->thread)
		return;
	call->exit = sis__ticks();
	sis__end(call->thread, call->node, call->exit);
}

void sis__mpi_end(struct sis_mpi_call *call)
{
	struct sis_thread *thread = call->thread;
	if (SIS_UNLIKELY(call->nested || !thread || !call->plain || !sis__clock_is_tsc)) {
		end_slow(call);
		return;
	}
	struct sis_node *node = call->node;
	if (SIS_UNLIKELY(thread->pub.current != node || thread->overlaps)) {
		end_slow(call);
		return;
	}
	uint64_t now = sis__ticks(), enter = node->start;
	outermost.frame = 0;
	call->exit = now;
	sis__add_ticks(node, now > enter ? now - enter : 0);
	thread->pub.stamp = now;
	thread->pub.current = node->parent;
}

__attribute__((cold)) void sis__mpi_record_slow(const struct sis_mpi_call *call, uint64_t bytes, uint64_t serial,
						 uint64_t what0, uint64_t what1)
{
	struct sis_record_shape shape = { (uintptr_t)call->node, bytes, serial, { what0, what1 } };
	struct sis_record record = sis_record_of_shape(&shape);
	record.enter = call->enter;
	record.exit = call->exit;
	sis__record_put(call->thread, &record);
}

struct sis_values *sis__mpi_values_slow(struct sis_mpi_call *call)
{
	return call->thread ? sis__values(call->thread, call->node, sis__set_messages) : NULL;
}
