/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_fast_path.h - a call of MPI that repeats an earlier one: the same call site, in the same
 * node, with the expected message or collective. Most calls are of this kind. Called by the
 * wrappers of the most frequent operations, in any thread that calls MPI.
 *
 * Everything is inline, and `quick` never leaves the wrapper, so that its fields stay in registers.
 * Any other call takes the general path (mpi_call.h), which gets a copy of `quick`.
 */
#ifndef SIS_MPI_FAST_PATH_H
#define SIS_MPI_FAST_PATH_H

#include "process/no_processor.h"
#include "adapters/mpi/mpi_poll.h"
#include "adapters/mpi/mpi_request.h"

/* -- begin ------------------------------------------------------------------------------------- */

/* The region of a call: the region of the site that was announced last. Without a site, it is the
 * region of the routine, or of the place of the call. The result is 0, which is the region of no
 * node, if the general path has to find the region. */
SIS_QUICK uint32_t sis__mpi_region(const struct sis_thread *thread, uint32_t routine)
{
	uint32_t id = SIS_MPI_ID(routine);
	if (SIS_UNLIKELY(thread->sites == 0))
		return sis__region_fact(id)->set == 0 ? sis__caller_region(id) : 0;
	const struct sis_site *site = &thread->site[thread->sites - 1];
	if (SIS_UNLIKELY(site->node != thread->pub.current || site->routine != routine))
		return 0;
	return site->id;
}

/* The node of the call, if it is the node of the expected record, the child that was entered last,
 * or the next child. Returns NULL if the call takes the general path. */
SIS_QUICK struct sis_node *sis__mpi_same_again(const struct sis_thread *thread, uint32_t routine)
{
	if (SIS_UNLIKELY(sis__mpi_outermost.frame || !sis__mpi_may_be_quick))
		return NULL;
	uint32_t id = sis__mpi_region(thread, routine);
	struct sis_node *current = thread->pub.current, *node = sis__record_due(thread);
	if (SIS_UNLIKELY(id == 0))
		return NULL;
	if (SIS_LIKELY(node->region == id && node->parent == current))
		return node;
	node = current->last_child->region == id ? current->last_child
						 : current->last_child->next;
	return node->region == id ? node : NULL;
}

SIS_QUICK void sis__mpi_begin_again(struct sis_mpi_call *quick, uintptr_t frame,
				    struct sis_thread *thread, struct sis_node *node, uint64_t now)
{
	thread->sites -= thread->sites != 0;
	sis__mpi_outermost = (struct sis_mpi_outermost){ frame, node };
	*quick = (struct sis_mpi_call){ .thread = thread, .node = node, .enter = now,
		.plain = true };
	node->calls++;
	node->start = thread->pub.stamp = now;
	struct sis_node *parent = thread->pub.current;
	if (parent->last_child != node)
		parent->last_child = node;
	thread->pub.current = node;
}

/* Begins a call on the fast path. Returns false, and changes nothing, if the call takes the general
 * path.
 */
SIS_QUICK bool sis__mpi_begin_quick_call(struct sis_mpi_call *quick, uintptr_t frame,
					 uint32_t routine)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	struct sis_node *node = sis__mpi_same_again(thread, routine);
	uint64_t now = SIS_LIKELY(node != NULL) ? sis__ticks() : 0;
	if (SIS_UNLIKELY(!node || now >= thread->phase_due))
		return false;
	sis__mpi_begin_again(quick, frame, thread, node, now);
	return true;
}

SIS_QUICK bool sis__mpi_begin_quick_collective(struct sis_mpi_call *quick, uintptr_t frame,
					       uint32_t routine)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	struct sis_node *node = sis__mpi_same_again(thread, routine);
	uint64_t now = SIS_LIKELY(node != NULL) ? sis__ticks() : 0;
	if (SIS_UNLIKELY(!node || sis__mpi_phase_is_due(thread, now)))
		return false;
	sis__mpi_begin_again(quick, frame, thread, node, now);
	return true;
}

/* Whether the next poll in the node is timed. */
SIS_QUICK bool sis__mpi_is_chosen(const struct sis_node *node)
{
	return sis__is_chosen((const struct sis__node *)node, node->calls);
}

/* Below SIS_RUNG_FULL most polls are only counted. The budget starts after a number of activations
 * (measure/sampling/sampling.c); a timed poll is one of these. */
SIS_QUICK bool sis__mpi_begin_quick_poll(struct sis_mpi_call *quick, uintptr_t frame,
					 uint32_t routine)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	struct sis_node *node = sis__mpi_same_again(thread, routine);
	if (SIS_UNLIKELY(!node))
		return false;
	bool low = node->rung != SIS_RUNG_FULL && node->min < SIS_SHORT;
	if (low && SIS_LIKELY(!sis__mpi_is_chosen(node))) {
		uint64_t stamp = thread->pub.stamp;
		sis__mpi_begin_again(quick, frame, thread, node, stamp);
		node->start = stamp | SIS_START_UNTIMED;
		quick->untimed = true;
		return true;
	}
	if (SIS_UNLIKELY(sis__visits_left != 0) && --sis__visits_left == 0)
		sis__visits_over();
	uint64_t now = sis__ticks();
	if (SIS_UNLIKELY(now >= thread->phase_due))
		return false;
	sis__mpi_begin_again(quick, frame, thread, node, now);
	if (SIS_UNLIKELY(low))
		node->start = now | SIS_START_CHOSEN;
	return true;
}

/* -- end --------------------------------------------------------------------------------------- */

SIS_QUICK void sis__mpi_end_quick(struct sis_mpi_call *quick)
{
	struct sis_thread *thread = quick->thread;
	struct sis_node *node = quick->node;
	if (SIS_UNLIKELY(thread->pub.current != node || thread->overlaps)) {
		struct sis_mpi_call copy = { .thread = quick->thread,
					     .node = quick->node,
					     .enter = quick->enter,
					     .plain = true };
		sis__mpi_end_slow(&copy);
		quick->exit = copy.exit;
		return;
	}
	struct sis_node *parent = node->parent;
	uint64_t enter = node->start, now = sis__ticks();
	quick->exit = now;
	sis__mpi_outermost.frame = 0;
	thread->pub.stamp = now;
	sis__add_ticks(node, SIS_LIKELY(now > enter) ? now - enter : 0);
	sis__add_inside_of(parent, SIS_LIKELY(now > enter) ? now - enter : 0);
	thread->pub.current = parent;
	if (SIS_UNLIKELY(now >= enter + sis__mpi_long))
		sis__no_processor_note();
}

SIS_QUICK void sis__mpi_end_quick_poll(struct sis_mpi_call *quick, bool in_vain)
{
	struct sis_thread *thread = quick->thread;
	struct sis_node *node = quick->node;
	if (SIS_LIKELY(node->start < SIS_START_CHOSEN) || thread->pub.current != node ||
	    SIS_UNLIKELY(thread->overlaps)) {
		sis__mpi_end_quick(quick);
		quick->untimed = false;
		return;
	}
	if (SIS_LIKELY(quick->untimed && in_vain)) {
		sis__mpi_outermost.frame = 0;
		quick->exit = quick->enter;
		thread->pub.current = node->parent;
		return;
	}
	/* reads the clock now, because the code that follows is not part of the call */
	struct sis_mpi_call copy = { .thread = thread, .node = node, .enter = quick->enter,
				     .exit = sis__ticks(), .untimed = quick->untimed };
	sis__mpi_end_poll_slow(&copy);
	quick->enter = copy.enter;
	quick->exit = copy.exit;
	quick->untimed = false;
}

/* -- records ----------------------------------------------------------------------------------- */

SIS_QUICK void sis__mpi_send_quick(const struct sis_mpi_call *quick, unsigned flags,
				   MPI_Count count, MPI_Datatype type, int peer, int tag,
				   MPI_Comm comm)
{
	if (SIS_LIKELY(peer != MPI_PROC_NULL))
		sis__mpi_sent(quick, flags, sis__mpi_bytes_of(count, type), peer, tag, comm);
}

SIS_QUICK void sis__mpi_recv_quick(const struct sis_mpi_call *quick, MPI_Comm comm,
				   const MPI_Status *status)
{
	if (SIS_LIKELY(status->MPI_SOURCE != MPI_PROC_NULL))
		sis__mpi_received(quick, sis__mpi_comm_id(comm), status);
}

/* Makes the record of an expected receive before the call, so that the time for this is hidden in
 * the wait. If the record was made after the call, it would delay this thread, and the receiver of
 * its next message. */
SIS_QUICK struct sis_record_expected sis__mpi_expect(const struct sis_mpi_call *quick,
						     MPI_Comm comm)
{
	const struct sis_record like = { .kind = SIS_RECORD_RECV, .comm = sis__mpi_comm_id(comm) };
	struct sis_record_shape shape = sis_record_shape_of(&like);
	struct sis_record_expected expected = sis__record_expect(quick->thread, quick->enter);
	const struct sis_record_place *place = expected.place;
	if (SIS_LIKELY(place != NULL) &&
	    SIS_UNLIKELY(place->shape.node != (uintptr_t)quick->node || place->shape.serial != 0 ||
			 (uint32_t)place->shape.what[0] != shape.what[0] ||
			 place->shape.what[1] >> 32 != shape.what[1] >> 32))
		expected.place = NULL;
	return expected;
}

SIS_QUICK bool sis__mpi_is_expected(const struct sis_record_expected *expected,
				    const MPI_Status *status, uint64_t bytes)
{
	const struct sis_record_place *place = expected->place;
	return SIS_LIKELY(place != NULL) && SIS_LIKELY(bytes == place->shape.bytes) &&
	       SIS_LIKELY(status->MPI_SOURCE == (int32_t)(place->shape.what[0] >> 32)) &&
	       SIS_LIKELY(status->MPI_TAG == (int32_t)place->shape.what[1]);
}

SIS_QUICK void sis__mpi_recv_expected(const struct sis_mpi_call *quick,
				      const struct sis_record_expected *expected, MPI_Comm comm,
				      const MPI_Status *status)
{
	uint64_t bytes = sis__mpi_bytes_received(status);
	if (SIS_LIKELY(sis__mpi_is_expected(expected, status, bytes)) &&
	    SIS_LIKELY(sis__record_put_expected(quick->thread, expected, quick->exit)))
		sis__mpi_count(quick, 0, 1, 0, bytes);
	else
		sis__mpi_recv_quick(quick, comm, status);
}

SIS_QUICK void sis__mpi_sendrecv_quick(const struct sis_mpi_call *quick, MPI_Count count,
				       MPI_Datatype type, int peer, int tag, MPI_Comm comm,
				       const MPI_Status *status)
{
	sis__mpi_send_quick(quick, 0, count, type, peer, tag, comm);
	sis__mpi_recv_quick(quick, comm, status);
}

/* -- requests ---------------------------------------------------------------------------------- */

/* The record of a request that has become active. */
SIS_QUICK void sis__mpi_activated(const struct sis_mpi_call *call,
				  const struct sis_mpi_request *request, enum sis_record_kind kind)
{
	sis__mpi_message(call, kind, request->comm, request->peer, request->tag, request->bytes,
			 request->serial, request->flags);
	if (kind == SIS_RECORD_ISEND)
		sis__mpi_count(call, 1, 0, request->bytes, 0);
}

/* LIMIT: a message that is sent or received while measurement is off leaves no record. If only its
 * sender or only its receiver is measured, the analyzer pairs all later sends with the wrong
 * receives. */
SIS_QUICK void sis__mpi_begun(const struct sis_mpi_call *call, struct sis_mpi_request *request,
			      MPI_Request handle, enum sis_record_kind kind)
{
	if (SIS_UNLIKELY(request->peer == MPI_PROC_NULL || !call->thread))
		return;
	request->serial = sis__mpi_request_serials(1);
	request->active = true;
	sis__mpi_request_add(SIS_KEY(handle), request);
	sis__mpi_activated(call, request, kind);
}

SIS_QUICK void sis__mpi_isend_quick(const struct sis_mpi_call *call, unsigned flags,
				    MPI_Count count, MPI_Datatype type, int peer, int tag,
				    MPI_Comm comm, MPI_Request request)
{
	struct sis_mpi_request made = {
		.kind = SIS_REQUEST_SEND, .comm = sis__mpi_comm_id(comm), .peer = peer, .tag = tag,
		.bytes = sis__mpi_bytes_of(count, type), .flags = (uint16_t)flags,
	};
	sis__mpi_begun(call, &made, request, SIS_RECORD_ISEND);
}

SIS_QUICK void sis__mpi_irecv_quick(const struct sis_mpi_call *call, int peer, int tag,
				    MPI_Comm comm, MPI_Request request)
{
	struct sis_mpi_request made = {
		.kind = SIS_REQUEST_RECV, .comm = sis__mpi_comm_id(comm), .peer = peer, .tag = tag,
	};
	sis__mpi_begun(call, &made, request, SIS_RECORD_IRECV);
}

SIS_QUICK void sis__mpi_start_quick(const struct sis_mpi_call *call, int count,
				    const MPI_Request *request)
{
	for (int i = 0; i < count; i++) {
		struct sis_mpi_request *started = sis__mpi_request_start(SIS_KEY(request[i]));
		if (SIS_UNLIKELY(!started))
			continue;
		if (started->kind == SIS_REQUEST_SEND) {
			sis__mpi_activated(call, started, SIS_RECORD_ISEND);
		} else if (SIS_LIKELY(started->kind == SIS_REQUEST_RECV)) {
			sis__mpi_activated(call, started, SIS_RECORD_IRECV);
		} else {
			struct sis_mpi_call copy = *call;
			sis__mpi_started_slow(&copy, started);
		}
	}
}

SIS_QUICK void sis__mpi_done_record(const struct sis_mpi_call *call, unsigned flags,
				    const struct sis_mpi_request *request, uint64_t serial,
				    int peer, int tag, uint64_t bytes)
{
	if (SIS_UNLIKELY(request->comm == SIS_UNMATCHED))
		return;
	sis__mpi_record(call, (struct sis_record){ .kind = SIS_RECORD_DONE,
						   .serial = serial,
						   .comm = request->comm,
						   .peer = peer,
						   .tag = tag,
						   .bytes = bytes,
						   .flags = (uint16_t)flags });
}

SIS_QUICK void sis__mpi_done_send(const struct sis_mpi_call *call, unsigned flags,
				  const struct sis_mpi_request *request)
{
	flags |= SIS_RECORD_IS_SEND | request->flags;
	sis__mpi_done_record(call, flags, request, request->serial, request->peer, request->tag,
			     request->bytes);
}

SIS_QUICK void sis__mpi_done_receive(const struct sis_mpi_call *call, unsigned flags,
				     const struct sis_mpi_request *request, uint64_t serial,
				     const MPI_Status *status)
{
	uint64_t bytes = sis__mpi_bytes_received(status);
	sis__mpi_done_record(call, flags, request, serial, status->MPI_SOURCE, status->MPI_TAG,
			     bytes);
	sis__mpi_count(call, 0, 1, 0, bytes);
}

SIS_QUICK void sis__mpi_complete_quick(const struct sis_mpi_call *call, unsigned flags,
				       MPI_Request was, const MPI_Status *status)
{
	struct sis_mpi_request *request = was != MPI_REQUEST_NULL
						  ? sis__mpi_request_take(SIS_KEY(was))
						  : NULL;
	if (SIS_UNLIKELY(!request))
		return;
	if (SIS_UNLIKELY(sis__mpi_may_have_polls(SIS_KEY(was)))) {
		struct sis_mpi_call copy = *call;
		sis__mpi_polls_end(&copy, SIS_KEY(was), request);
	}
	if (SIS_UNLIKELY(!call->thread)) {
		sis__mpi_done_off(request);
	} else if (SIS_UNLIKELY(request->cancelled) ||
		   SIS_UNLIKELY(request->kind > SIS_REQUEST_RECV)) {
		struct sis_mpi_call copy = *call;
		sis__mpi_done_slow(&copy, flags, request, status);
	} else if (request->kind == SIS_REQUEST_SEND) {
		sis__mpi_done_send(call, flags, request);
	} else {
		sis__mpi_done_receive(call, flags, request, request->serial, status);
	}
	sis__mpi_request_give_back(request);
}

SIS_QUICK void sis__mpi_test_quick(const struct sis_mpi_call *call, int done, MPI_Request was,
				   const MPI_Status *status)
{
	if (done)
		sis__mpi_complete_quick(call, SIS_RECORD_POLL, was, status);
	else
		sis__mpi_polled(call, SIS_KEY(was));
}

SIS_QUICK void sis__mpi_iprobe_quick(const struct sis_mpi_call *call, int found, int source,
				     int tag, MPI_Comm comm, const MPI_Status *status)
{
	uint64_t key = sis__mpi_probe_key(comm, source, tag);
	if (found) {
		struct sis_mpi_call copy = *call;
		sis__mpi_probe_found(&copy, key, sis__mpi_comm_id(comm), status);
	} else {
		sis__mpi_polled(call, key);
	}
}

SIS_QUICK void sis__mpi_batch_all_quick(const struct sis_mpi_call *call,
					struct sis_mpi_batch *batch, unsigned flags)
{
	if (SIS_UNLIKELY(sis__mpi_may_have_polls(batch->key))) {
		struct sis_mpi_call copy = *call;
		sis__mpi_batch_all(&copy, batch, flags);
		return;
	}
	for (int i = 0; i < batch->count; i++)
		sis__mpi_complete_quick(call, flags, batch->was[i], &batch->status[i]);
}

/* -- collectives ------------------------------------------------------------------------------- */

SIS_QUICK struct sis_mpi_comm *sis__mpi_collective_quick(const struct sis_mpi_call *quick,
							 enum sis_record_kind kind, MPI_Comm comm,
							 int root)
{
	struct sis_mpi_comm *c = sis__mpi_comm(comm);
	if (SIS_UNLIKELY(!c))
		return NULL;
	sis__mpi_collective_of(quick, kind, c, root, sis__mpi_comm_serial(c));
	return !c->inter ? c : NULL;
}

#endif
