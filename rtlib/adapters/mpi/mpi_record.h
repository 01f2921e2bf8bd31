/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_record.h - the records of messages and collectives. The functions are inline, so that most
 * calls of MPI call no other function of the runtime. mpi_message.c and mpi_collective.c say when a
 * record is written.
 */
#ifndef SIS_MPI_RECORD_H
#define SIS_MPI_RECORD_H

#include "adapters/mpi/mpi_call.h"

#define SIS_QUICK static inline __attribute__((always_inline))

/* -- bytes ------------------------------------------------------------------------------------- */

/* Sizes of predefined types, which never change. Handle and size are in one word, so that threads
 * may load and store it without a lock. A handle is an integer or an address below 2^56; the size
 * of a predefined type is below 256. */
extern _Atomic uint64_t sis__mpi_named[64] SIS_HIDDEN;
SIS_HIDDEN uint64_t sis__mpi_bytes_slow(MPI_Count count, MPI_Datatype type,
					_Atomic uint64_t *place) SIS_COLD;

SIS_QUICK uint64_t sis__mpi_bytes_of(MPI_Count count, MPI_Datatype type)
{
	uint64_t handle = (uint64_t)(uintptr_t)type;
	_Atomic uint64_t *place = &sis__mpi_named[sis_hash_top(handle, 6)];
	uint64_t known = atomic_load_explicit(place, memory_order_relaxed);
	if (count <= 0)
		return 0;
	return SIS_LIKELY(known && known >> 8 == handle) ? (uint64_t)count * (known & 255) :
							    sis__mpi_bytes_slow(count, type, place);
}

SIS_QUICK uint64_t sis__mpi_bytes_received(const MPI_Status *status)
{
/* Reads the fields of MPICH's ABI. The result is that of PMPI_Get_count with MPI_BYTE, in a tenth
 * of the time. */
#ifdef MPICH_NUMVERSION
	return (uint64_t)(uint32_t)status->count_lo |
	       (uint64_t)(uint32_t)status->count_hi_and_cancelled >> 1 << 32;
#else
	int count = 0;
	if (SIS_LIKELY(PMPI_Get_count(status, MPI_BYTE, &count) == MPI_SUCCESS && count >= 0))
		return (uint64_t)count;
#if MPI_VERSION >= 3
	MPI_Count large = 0; /* 2 GiB and more */
	if (PMPI_Get_elements_x(status, MPI_BYTE, &large) == MPI_SUCCESS && large > 0)
		return (uint64_t)large;
#endif
	return 0;
#endif
}

/* -- messages ---------------------------------------------------------------------------------- */

static inline int32_t sis__mpi_peer_or_any(int peer) { return peer == MPI_ANY_SOURCE ? -1 : peer; }
static inline int32_t sis__mpi_tag_or_any(int tag) { return tag == MPI_ANY_TAG ? -1 : tag; }

/* Peers of an intercommunicator are ranks of its other side. */
SIS_QUICK void sis__mpi_message(const struct sis_mpi_call *call, enum sis_record_kind kind,
				uint32_t comm, int peer, int tag, uint64_t bytes, uint64_t serial,
				unsigned flags)
{
	if (SIS_UNLIKELY(comm == SIS_UNMATCHED))
		return;
	sis__mpi_record(call, (struct sis_record){ .kind = (uint16_t)kind,
						   .comm = comm,
						   .peer = sis__mpi_peer_or_any(peer),
						   .tag = sis__mpi_tag_or_any(tag),
						   .bytes = bytes,
						   .serial = serial,
						   .flags = (uint16_t)flags });
}

SIS_QUICK void sis__mpi_sent(const struct sis_mpi_call *call, unsigned flags, uint64_t bytes,
			     int peer, int tag, MPI_Comm comm)
{
	sis__mpi_message(call, SIS_RECORD_SEND, sis__mpi_comm_id(comm), peer, tag, bytes, 0, flags);
	sis__mpi_count(call, 1, 0, bytes, 0);
}

SIS_QUICK void sis__mpi_received(const struct sis_mpi_call *call, uint32_t comm,
				 const MPI_Status *status)
{
	uint64_t bytes = sis__mpi_bytes_received(status);
	sis__mpi_message(call, SIS_RECORD_RECV, comm, status->MPI_SOURCE, status->MPI_TAG, bytes, 0,
			 0);
	sis__mpi_count(call, 0, 1, 0, bytes);
}

/* A blocking probe waits for the sender of the message, which a later call receives. */
SIS_QUICK void sis__mpi_probed(const struct sis_mpi_call *call, MPI_Comm comm,
			       const MPI_Status *status)
{
	if (call->thread && status->MPI_SOURCE >= 0)
		sis__mpi_message(call, SIS_RECORD_PROBE, sis__mpi_comm_id(comm), status->MPI_SOURCE,
				 status->MPI_TAG, 0, 0, 0);
}

/* -- collectives ------------------------------------------------------------------------------- */

/* In an intercommunicator, the root passes MPI_ROOT, and the other members of its group pass
 * MPI_PROC_NULL. */
static inline int sis__mpi_root(enum sis_record_kind kind, const struct sis_mpi_comm *comm,
				int root)
{
	if (SIS_LIKELY(!comm->inter) ||
	    (kind != SIS_RECORD_FROM_ROOT && kind != SIS_RECORD_TO_ROOT))
		return root;
	return root == MPI_ROOT ? SIS_ROOT_SELF : root == MPI_PROC_NULL ? SIS_ROOT_BESIDE : root;
}

SIS_QUICK void sis__mpi_collective_of(const struct sis_mpi_call *call, enum sis_record_kind kind,
				      struct sis_mpi_comm *comm, int root, uint64_t serial)
{
	if (SIS_UNLIKELY(!call->thread))
		return;
	sis__mpi_phase_begin(call);
	sis__mpi_record(call, (struct sis_record){ .kind = (uint16_t)kind,
						   .comm = comm->id,
						   .peer = sis__mpi_root(kind, comm, root),
						   .tag = -1,
						   .serial = serial });
}

#endif
