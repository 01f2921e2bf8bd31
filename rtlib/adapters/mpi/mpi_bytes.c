/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_bytes.c - the bytes of a count of a datatype. Called by the thread that calls MPI. */
#include <stdatomic.h>

#include "adapters/mpi/mpi_fast_path.h"

_Atomic uint64_t sis__mpi_named[64];

uint64_t sis__mpi_bytes_slow(MPI_Count count, MPI_Datatype type, _Atomic uint64_t *place)
{
	int size = 0, integers, addresses, types, combiner = MPI_UNDEFINED;
	if (PMPI_Type_size(type, &size) != MPI_SUCCESS || size <= 0)
		return 0;
	PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
	if (combiner == MPI_COMBINER_NAMED && size < 256)
		atomic_store_explicit(place, (uint64_t)(uintptr_t)type << 8 | (uint64_t)size,
				      memory_order_relaxed);
	return (uint64_t)count * (uint64_t)size;
}

uint64_t sis__mpi_bytes(MPI_Count count, MPI_Datatype type)
{
	return sis__mpi_bytes_of(count, type);
}

uint64_t sis__mpi_status_bytes(const MPI_Status *status)
{
	return sis__mpi_bytes_received(status);
}
