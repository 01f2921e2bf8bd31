/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_file.c - records of collective calls on files, and the bytes of files. Called by the
 * wrapper's thread after its call has ended.
 *
 * All processes that opened a file make the same collective calls on it, in the same order. So each
 * such call has a number. The number combines two others. One is the number of the call that opened
 * the file, among the collectives of its communicator. The other one counts the earlier calls on
 * this file. Both are kept in the table of requests, in an entry like that of a persistent
 * collective: the file's next call corresponds to the next start.
 *
 * A non-blocking collective call (MPI_File_iread_all ...) has such a number, and a request like any
 * other collective.
 */
#include "measure/counters/metric_set.h"
#include "adapters/mpi/mpi_request.h"

/* A key that no request or message has. */
#define FILE_KEY(file) (SIS_KEY(file) | UINT64_C(1) << 63)

static void record(const struct sis_mpi_call *call, uint32_t comm, uint64_t serial)
{
	sis__mpi_record(call, (struct sis_record){ .kind = SIS_RECORD_FILE,
						   .comm = comm,
						   .peer = -1,
						   .tag = -1,
						   .serial = serial });
}

void sis__mpi_file_open(struct sis_mpi_call *call, MPI_Comm comm, MPI_File file)
{
	struct sis_mpi_comm *c = sis__mpi_comm(comm);
	if (!c)
		return;
	uint64_t serial = sis__mpi_comm_serial(c);
	struct sis_mpi_request opened = { .kind = SIS_REQUEST_COLLECTIVE,
					  .comm = c->id,
					  .number = (serial | (uint64_t)1 << 31) << 32,
					  .persistent = true };
	sis__mpi_request_add(FILE_KEY(file), &opened);
	record(call, c->id, serial);
}

/* The number of the next collective call on the file. Calls that are not measured are also counted;
 * otherwise the processes would have different numbers. `comm` is SIS_UNMATCHED if no wrapper has
 * seen the file being opened. */
static uint64_t next_call(MPI_File file, uint32_t *comm)
{
	uint64_t serial = 0;
	struct sis_mpi_shard *shard = sis__mpi_hold(FILE_KEY(file));
	struct sis_mpi_request **link = sis__mpi_request_find(shard, FILE_KEY(file));
	*comm = link ? (*link)->comm : SIS_UNMATCHED;
	if (link)
		serial = (*link)->number++;
	sis__mpi_let_go(shard);
	return serial;
}

void sis__mpi_file_all(struct sis_mpi_call *call, MPI_File file)
{
	uint32_t comm;
	uint64_t serial = next_call(file, &comm);
	if (comm != SIS_UNMATCHED)
		record(call, comm, serial);
}

struct sis_mpi_ended sis__mpi_file_ends(MPI_File file)
{
	struct sis_mpi_request opened = sis__mpi_request_remove(FILE_KEY(file));
	return (struct sis_mpi_ended){ .id = opened.comm, .serial = opened.number };
}

void sis__mpi_file_close(struct sis_mpi_call *call, const struct sis_mpi_ended *ended)
{
	if (ended->id != SIS_UNMATCHED)
		record(call, ended->id, ended->serial);
}

/* -- bytes ------------------------------------------------------------------------------------- */

/* LIMIT: if the region has metrics of its own, bytes of files are not counted, because the region's
 * values have no room for these bytes. */
static void count_file(const struct sis_mpi_call *call, int writes, uint64_t bytes)
{
	static _Atomic uint32_t io_set; /* in a race, both threads get the same set */
	uint32_t set = io_set;
	if (SIS_UNLIKELY(!set))
		io_set = set = sis__set("IOBYTES_R,IOBYTES_W");
	struct sis_values *values = set ? sis__values(call->thread, call->node, set) : NULL;
	if (values && values->set == set)
		values->value[writes].sum += bytes;
}

void sis__mpi_io(struct sis_mpi_call *call, int writes, const MPI_Status *status)
{
	count_file(call, writes, sis__mpi_status_bytes(status));
}

/* LIMIT: counts the bytes that are requested. A read at the end of the file gets fewer bytes, but
 * only the call that completes the read would know this. */
void sis__mpi_io_begun(struct sis_mpi_call *call, int writes, MPI_Count count, MPI_Datatype type)
{
	count_file(call, writes, sis__mpi_bytes(count, type));
}

void sis__mpi_file_begun(struct sis_mpi_call *call, int writes, MPI_File file, MPI_Count count,
			 MPI_Datatype type, MPI_Request request)
{
	uint32_t comm;
	uint64_t serial = next_call(file, &comm);
	if (!call->thread)
		return;
	sis__mpi_io_begun(call, writes, count, type);
	if (comm == SIS_UNMATCHED)
		return;
	struct sis_mpi_request begun = { .kind = SIS_REQUEST_COLLECTIVE,
					 .comm = comm,
					 .peer = -1,
					 .tag = SIS_RECORD_FILE,
					 .number = serial,
					 .active = true };
	sis__mpi_request_add(SIS_KEY(request), &begun);
	sis__mpi_collective_started(call, &begun);
}

void sis__mpi_file_io(struct sis_mpi_call *call, int writes, MPI_File file,
		      const MPI_Status *status)
{
	sis__mpi_file_all(call, file);
	if (call->thread)
		sis__mpi_io(call, writes, status);
}
