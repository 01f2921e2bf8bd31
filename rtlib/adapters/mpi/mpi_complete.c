/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_complete.c - the completion of requests: MPI_Wait, MPI_Test and their forms for several
 * requests. Called by the wrapper's thread.
 *
 * MPI clears the handles of requests that it completes, so they are copied before the call. Sender,
 * tag and size of a received message are in the status. So a status is passed even if the program
 * ignores it. For each known request that is completed, a DONE record is written. While measurement
 * is off, the request is only removed from the table.
 */
#include <errno.h>
#include <stdlib.h>

#include "adapters/mpi/mpi_fast_path.h"

/* MPICH 4.0 does not fill the status of MPI_Isendrecv. Then source and tag are those of the call,
 * and the number of bytes is not known. */
static void done_both(const struct sis_mpi_call *call, unsigned flags,
		      const struct sis_mpi_request *request, const MPI_Status *status)
{
	uint64_t serial = request->serial + 1;
	bool filled = (request->from == MPI_ANY_SOURCE || request->from == status->MPI_SOURCE) &&
		      (request->from_tag == MPI_ANY_TAG || request->from_tag == status->MPI_TAG);
	sis__mpi_done_send(call, flags, request);
	if (filled) {
		sis__mpi_done_receive(call, flags, request, serial, status);
		return;
	}
	int peer = request->from == MPI_ANY_SOURCE ? -1 : request->from;
	int tag = request->from_tag == MPI_ANY_TAG ? -1 : request->from_tag;
	sis__mpi_done_record(call, flags, request, serial, peer, tag, 0);
	sis__mpi_count(call, 0, 1, 0, 0);
}

void sis__mpi_done_slow(struct sis_mpi_call *call, unsigned flags, struct sis_mpi_request *request,
			const MPI_Status *status)
{
	int was_cancelled = 0;
	bool cancelled = request->cancelled &&
			 PMPI_Test_cancelled(status, &was_cancelled) == MPI_SUCCESS && was_cancelled;
	flags |= cancelled ? SIS_RECORD_CANCELLED : 0;
	switch (request->kind) {
	case SIS_REQUEST_SEND:
	case SIS_REQUEST_PARTED_SEND:
		sis__mpi_done_send(call, flags, request);
		break;
	case SIS_REQUEST_RECV:
		if (cancelled)
			sis__mpi_done_record(call, flags, request, request->serial, -1, -1, 0);
		else
			sis__mpi_done_receive(call, flags, request, request->serial, status);
		break;
	case SIS_REQUEST_PARTED_RECV: {
		/* The status need not repeat the arguments of the request. Source and tag are taken
		 * from the status only if the arguments are wildcards. */
		int peer = request->peer == MPI_ANY_SOURCE ? status->MPI_SOURCE : request->peer;
		int tag = request->tag == MPI_ANY_TAG ? status->MPI_TAG : request->tag;
		sis__mpi_done_record(call, flags | request->flags, request, request->serial, peer,
				     tag, request->bytes);
		sis__mpi_count(call, 0, 1, 0, request->bytes);
		break;
	}
	case SIS_REQUEST_BOTH:
		done_both(call, flags, request, status);
		break;
	case SIS_REQUEST_COLLECTIVE:
		sis__mpi_done_record(call, flags | SIS_RECORD_BEGUN, request, request->number, -1,
				     -1, 0);
		request->number++;
		break;
	case SIS_REQUEST_COMM:
		sis__mpi_comm_idup_done(*request->made, request->comm, request->bytes);
		break;
	}
}

/* Completes a request of a call that is not measured: nothing is recorded. */
void sis__mpi_done_off(struct sis_mpi_request *request)
{
	if (request->kind == SIS_REQUEST_COLLECTIVE)
		request->number++;
	else if (request->kind == SIS_REQUEST_COMM)
		sis__mpi_comm_idup_done(*request->made, request->comm, request->bytes);
}

void sis__mpi_complete(struct sis_mpi_call *call, unsigned flags, MPI_Request was,
		       const MPI_Status *status)
{
	sis__mpi_complete_quick(call, flags, was, status);
}

void sis__mpi_test(struct sis_mpi_call *call, int done, MPI_Request was, const MPI_Status *status)
{
	sis__mpi_test_quick(call, done, was, status);
}

/* The request stays in the table, because only its completion ends the polls. */
void sis__mpi_asked(struct sis_mpi_call *call, int done, MPI_Request request)
{
	if (!done)
		sis__mpi_polled(call, SIS_KEY(request));
}

/* The call asked whether a part of the message has come. Polls for other parts are other waits, so
 * each part gets a record. The request stays in the table. */
void sis__mpi_arrived(struct sis_mpi_call *call, int done, MPI_Request request)
{
	uint64_t key = SIS_KEY(request);
	struct sis_mpi_request copy = { .active = false };
	if (!done)
		sis__mpi_polled(call, key);
	if (!done || !sis__mpi_may_have_polls(key))
		return;
	struct sis_mpi_shard *shard = sis__mpi_hold(key);
	struct sis_mpi_request **link = sis__mpi_request_find(shard, key);
	if (link)
		copy = **link;
	sis__mpi_let_go(shard);
	if (copy.active)
		sis__mpi_polls_end_part(call, key, &copy);
}

/* -- many requests ----------------------------------------------------------------------------- */

/* Statuses come first in the block, because they have the larger alignment. */
void sis__mpi_batch_lend(struct sis_mpi_batch *batch, int count, const MPI_Request *request,
			 bool ignored)
{
	size_t status_bytes = ignored ? (size_t)count * sizeof(MPI_Status) : 0;
	int error = errno;
	char *block = malloc(status_bytes + (size_t)count * sizeof(MPI_Request));
	errno = error;
	batch->lent = block != NULL;
	batch->block = block;
	if (!block) {
		batch->status = ignored ? MPI_STATUSES_IGNORE : batch->status;
		return;
	}
	batch->count = count;
	batch->was = (MPI_Request *)(block + status_bytes);
	if (ignored)
		batch->status = (MPI_Status *)block;
	sis__mpi_copy_handles(batch->was, request, count);
}

void sis__mpi_batch_give_back(struct sis_mpi_batch *batch)
{
	free(batch->block);
}

/* Polls for the whole array are added to each of its requests that are complete now. The time
 * between polls is added to only one of them. */
static void take_polls(const struct sis_mpi_call *call, struct sis_mpi_batch *batch)
{
	if (SIS_UNLIKELY(sis__mpi_may_have_polls(batch->key)))
		batch->polled = sis__mpi_polls_take(call, batch->key, batch->polls);
}

static void complete(struct sis_mpi_call *call, struct sis_mpi_batch *batch, unsigned flags,
		     MPI_Request was, const MPI_Status *status)
{
	for (unsigned i = 0; i < batch->polled && was != MPI_REQUEST_NULL; i++) {
		sis__mpi_polls_add(batch->polls[i], SIS_KEY(was));
		batch->polls[i].between = 0;
	}
	sis__mpi_complete(call, flags, was, status);
}

void sis__mpi_batch_all(struct sis_mpi_call *call, struct sis_mpi_batch *batch, unsigned flags)
{
	take_polls(call, batch);
	for (int i = 0; i < batch->count; i++)
		complete(call, batch, flags, batch->was[i], &batch->status[i]);
}

void sis__mpi_batch_test(struct sis_mpi_call *call, struct sis_mpi_batch *batch, int done)
{
	if (done)
		sis__mpi_batch_all(call, batch, SIS_RECORD_POLL);
	else
		sis__mpi_polled(call, batch->key);
}

static void complete_at(struct sis_mpi_call *call, struct sis_mpi_batch *batch, unsigned flags,
			int index, const MPI_Status *status)
{
	if (index >= 0 && index < batch->count)
		complete(call, batch, flags, batch->was[index], status);
}

void sis__mpi_batch_one(struct sis_mpi_call *call, struct sis_mpi_batch *batch, unsigned flags,
			int index, const MPI_Status *status)
{
	if (index == MPI_UNDEFINED)
		return;
	take_polls(call, batch);
	complete_at(call, batch, flags, index, status);
}

void sis__mpi_batch_test_any(struct sis_mpi_call *call, struct sis_mpi_batch *batch, int done,
			     int index, const MPI_Status *status)
{
	if (done)
		sis__mpi_batch_one(call, batch, SIS_RECORD_POLL, index, status);
	else
		sis__mpi_polled(call, batch->key);
}

void sis__mpi_batch_some(struct sis_mpi_call *call, struct sis_mpi_batch *batch, unsigned flags,
			 int count, const int *index)
{
	if (count == MPI_UNDEFINED)
		return;
	take_polls(call, batch);
	for (int i = 0; i < count; i++)
		complete_at(call, batch, flags, index[i], &batch->status[i]);
}

void sis__mpi_batch_test_some(struct sis_mpi_call *call, struct sis_mpi_batch *batch, int count,
			      const int *index)
{
	if (count == 0)
		sis__mpi_polled(call, batch->key);
	else
		sis__mpi_batch_some(call, batch, SIS_RECORD_POLL, count, index);
}

static int error_class(int code)
{
	int class = MPI_SUCCESS;
	return PMPI_Error_class(code, &class) == MPI_SUCCESS ? class : code;
}

bool sis__mpi_is_cut(int code)
{
	return error_class(code) == MPI_ERR_TRUNCATE;
}

bool sis__mpi_was_cut(int code, const MPI_Status *status, MPI_Status *cut)
{
	if (!sis__mpi_is_cut(code))
		return false;
	*cut = *status;
	return PMPI_Status_set_elements(cut, MPI_BYTE, 0) == MPI_SUCCESS;
}

/* Records the requests that completed or were truncated. Of requests that failed for another reason
 * nothing is recorded. */
void sis__mpi_batch_partly(struct sis_mpi_call *call, struct sis_mpi_batch *batch, unsigned flags,
			   int code, int count, const int *index)
{
	if (error_class(code) != MPI_ERR_IN_STATUS)
		return;
	for (int i = 0; i < count && i < batch->count; i++) {
		const MPI_Status *status = &batch->status[i];
		MPI_Status cut;
		if (sis__mpi_was_cut(status->MPI_ERROR, status, &cut))
			status = &cut;
		else if (status->MPI_ERROR != MPI_SUCCESS)
			continue;
		complete_at(call, batch, flags, index ? index[i] : i, status);
	}
}

/* MPI has cleared the handles of the requests that are complete. A persistent request keeps its
 * handle, so it stays active here until it is started again. */
void sis__mpi_batch_changed(struct sis_mpi_batch *batch, const MPI_Request *request)
{
	struct sis_mpi_call off = { .thread = NULL };
	for (int i = 0; i < batch->count; i++)
		if (batch->was[i] != request[i])
			complete(&off, batch, 0, batch->was[i], NULL);
}
