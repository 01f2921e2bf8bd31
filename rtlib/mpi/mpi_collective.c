/* mpi_collective.c - records of collectives, and the bytes of collectives and of files. The wrapper's thread,
 * after its call has ended.
 *
 * All members call the collectives of a communicator in the same order, so their number on it names an
 * instance in the whole run. It is counted whether or not a member measures, or they would not agree.
 */
#include "mpi/mpi_quick.h"

void sis__mpi_collective_on(struct sis_mpi_call *call, enum sis_record_kind kind, struct sis_mpi_comm *comm, int root,
			    uint64_t serial)
{
	sis__mpi_collective_of(call, kind, comm, root, serial);
}

struct sis_mpi_comm *sis__mpi_collective(struct sis_mpi_call *call, enum sis_record_kind kind, MPI_Comm comm,
					 int root)
{
	struct sis_mpi_comm *c = sis__mpi_collective_quick(call, kind, comm, root);
	return call->thread ? c : NULL;
}

void sis__mpi_icollective(MPI_Comm comm)
{
	struct sis_mpi_comm *c = sis__mpi_comm(comm);
	if (c)
		sis__mpi_comm_serial(c);
}

uint64_t sis__mpi_bytes_v(const int *counts, const MPI_Datatype *types, int each, uint32_t members)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < members; i++)
		bytes += counts[i] ? sis__mpi_bytes(counts[i], types[each ? i : 0]) : 0;
	return bytes;
}

uint64_t sis__mpi_bytes_v_c(const MPI_Count *counts, const MPI_Datatype *types, int each, uint32_t members)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < members; i++)
		bytes += counts[i] ? sis__mpi_bytes(counts[i], types[each ? i : 0]) : 0;
	return bytes;
}

/* LIMIT: where the region has metrics of its own, bytes of files are not counted: its values have no place for them. */
void sis__mpi_io(struct sis_mpi_call *call, int writes, const MPI_Status *status)
{
	static _Atomic uint32_t io_set; /* a race asks twice for the same set */
	uint32_t set = io_set;
	if (SIS_UNLIKELY(!set))
		io_set = set = sis__set("IOBYTES_R,IOBYTES_W");
	struct sis_values *values = set ? sis__values(call->thread, call->node, set) : NULL;
	if (values && values->set == set)
		values->value[writes].sum += sis__mpi_status_bytes(status);
}
