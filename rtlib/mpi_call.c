/* mpi_call.c - begin and end of a wrapped call of MPI. Called by whichever thread calls MPI.
 *
 * A call is one node: the region that the call's source announced (SIS_SITE), or the routine itself.
 * The thread is not marked `inside` for the time of the call, so that callbacks of the user (reduction
 * operators, attribute copies) are measured as children of the call; only wrapped calls from in there pass
 * through.
 */
#include "mpi_call.h"

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

static inline struct sis_thread *begin(struct sis_mpi_call *call)
{
	uintptr_t here = (uintptr_t)call, before = outermost.frame;
	call->thread = NULL;
	call->node = NULL;
	call->nested = before > here;
	if (SIS_UNLIKELY(call->nested))
		return NULL;
	struct sis_thread *thread = sis__thread();
	if (SIS_UNLIKELY(before != 0) && thread)
		abandon(thread);
	outermost.frame = here;
	outermost.node = NULL;
	return thread;
}

/* The call's region, where the announcement is the last one and for this routine, as it mostly is. */
static inline uint32_t region_of(struct sis_thread *thread, uint32_t routine)
{
	const struct sis_site *site = &thread->site[thread->sites - 1];
	if (SIS_UNLIKELY(thread->sites == 0 || site->node != thread->pub.current ||
			 sis__region_fact(site->id)->routine != routine))
		return sis__site_take(thread, routine);
	thread->sites--;
	return site->id;
}

/* sis__begin, where the region was the last one here, too, and has no metrics that must be read. */
static inline struct sis_node *enter(struct sis_thread *thread, uint32_t id, uint64_t now)
{
	struct sis_node *node = thread->pub.current->last_child;
	if (SIS_UNLIKELY(node->region != id || node->origin || sis__region_fact(id)->set))
		return sis__begin(thread, id, now);
	node->calls++;
	if (SIS_UNLIKELY(thread->trace != NULL))
		sis__trace_enter(thread, id, now);
	thread->pub.current = node;
	node->start = thread->pub.stamp = now;
	return node;
}

static inline void activate(struct sis_mpi_call *call, struct sis_thread *thread, uint32_t routine, uint64_t now)
{
	call->enter = now;
	call->node = enter(thread, region_of(thread, routine), now);
	outermost.node = call->node;
	if (SIS_LIKELY(call->node != NULL))
		call->thread = thread;
}

void sis__mpi_begin(struct sis_mpi_call *call, uint32_t routine)
{
	struct sis_thread *thread = begin(call);
	if (SIS_LIKELY(thread != NULL))
		activate(call, thread, routine, sis__ticks());
}

void sis__mpi_begin_collective(struct sis_mpi_call *call, uint32_t routine)
{
	struct sis_thread *thread = begin(call);
	if (SIS_UNLIKELY(thread == NULL))
		return;
	uint64_t now = sis__ticks();
	struct sis_record *phase = sis__mpi_phase(thread, routine == SIS_ROUTINE_MPI_Finalize, &now);
	activate(call, thread, routine, now);
	if (phase && call->node)
		phase->node = call->node;
}

void sis__mpi_end(struct sis_mpi_call *call)
{
	if (SIS_UNLIKELY(call->nested))
		return;
	outermost.frame = 0;
	if (SIS_UNLIKELY(call->thread == NULL))
		return;
	call->exit = sis__ticks();
	sis__end(call->thread, call->node, call->exit);
}

void sis__mpi_record(struct sis_mpi_call *call, struct sis_record *record)
{
	if (SIS_UNLIKELY(call->thread == NULL))
		return;
	record->enter = call->enter;
	record->exit = call->exit;
	record->node = call->node;
	sis__record_put(call->thread, record);
}

void sis__mpi_count(struct sis_mpi_call *call, uint64_t sent, uint64_t received, uint64_t bytes_sent,
		    uint64_t bytes_received)
{
	if (SIS_UNLIKELY(call->thread == NULL))
		return;
	struct sis_values *values = call->node->values; /* the region's own metrics, if any, stand behind these */
	if (SIS_UNLIKELY(!values))
		values = sis__values(call->thread, call->node, sis__set_messages);
	if (SIS_UNLIKELY(!values))
		return;
	values->value[0].sum += sent;
	values->value[1].sum += received;
	values->value[2].sum += bytes_sent;
	values->value[3].sum += bytes_received;
}
