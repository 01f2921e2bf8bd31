/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_neighbour.c - collectives with the neighbours in a topology: the neighbours, and the bytes
 * that are sent to them and received from them. The wrapper's thread, after its call has ended.
 *
 * A communicator's topology is made with it and never changes, so MPI is asked once. The calls have
 * no record and are not matched, since only neighbours wait for each other.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "mpi/mpi_request.h"

/* -- the neighbours ---------------------------------------------------------------------------- */

static struct sis_mpi_neighbours *neighbours_new(int from, int to, int borders)
{
	struct sis_mpi_neighbours *n = calloc(1, sizeof *n + (size_t)borders * sizeof *n->border);
	if (!n)
		return NULL;
	n->from = (struct sis_mpi_side){ .places = (uint32_t)from, .present = (uint32_t)from };
	n->to = (struct sis_mpi_side){ .places = (uint32_t)to, .present = (uint32_t)to };
	return n;
}

/* Two for each dimension; each may be this process itself. */
static struct sis_mpi_neighbours *of_grid(MPI_Comm comm)
{
	int dimensions = 0, neighbour[2];
	PMPI_Cartdim_get(comm, &dimensions);
	struct sis_mpi_neighbours *n = neighbours_new(2 * dimensions, 2 * dimensions,
						      2 * dimensions);
	if (!n)
		return NULL;
	for (int i = 0; i < 2 * dimensions; i++) {
		if (i % 2 == 0)
			PMPI_Cart_shift(comm, i / 2, 1, &neighbour[0], &neighbour[1]);
		n->border[i] = neighbour[i % 2] == MPI_PROC_NULL;
		n->from.present -= n->border[i];
	}
	n->from.absent = n->border;
	n->to = n->from;
	return n;
}

static struct sis_mpi_neighbours *of_topology(MPI_Comm comm)
{
	int kind = MPI_UNDEFINED, rank = 0, from = 0, to = 0, weighted;
	PMPI_Topo_test(comm, &kind);
	if (kind == MPI_CART)
		return of_grid(comm);
	if (kind == MPI_GRAPH) {
		PMPI_Comm_rank(comm, &rank);
		PMPI_Graph_neighbors_count(comm, rank, &from);
		to = from;
	} else if (kind == MPI_DIST_GRAPH) {
		PMPI_Dist_graph_neighbors_count(comm, &from, &to, &weighted);
	}
	return neighbours_new(from, to, 0);
}

/* If two threads ask at the same time, the later one takes the result of the other (acquire,
 * release). */
static const struct sis_mpi_neighbours *neighbours_of(struct sis_mpi_comm *c, MPI_Comm comm)
{
	struct sis_mpi_neighbours *known = atomic_load_explicit(&c->neighbours,
								memory_order_acquire);
	if (SIS_LIKELY(known != NULL))
		return known;
	struct sis_mpi_neighbours *asked = of_topology(comm);
	if (!asked ||
	    atomic_compare_exchange_strong_explicit(&c->neighbours, &known, asked,
						    memory_order_acq_rel, memory_order_acquire))
		return asked;
	free(asked);
	return known;
}

const struct sis_mpi_neighbours *sis__mpi_neighbours(MPI_Comm comm)
{
	struct sis_mpi_comm *c = sis__mpi_comm(comm);
	return c ? neighbours_of(c, comm) : NULL;
}

/* The bytes of a persistent request are counted at each start (sis__mpi_collective_moves); it is
 * not matched. */
const struct sis_mpi_neighbours *sis__mpi_neighbours_init(MPI_Comm comm, MPI_Request request)
{
	struct sis_mpi_request made = { .kind = SIS_REQUEST_COLLECTIVE,
					.comm = SIS_UNMATCHED,
					.persistent = true };
	const struct sis_mpi_neighbours *n = sis__mpi_neighbours(comm);
	if (n)
		sis__mpi_request_add(SIS_KEY(request), &made);
	return n;
}

/* -- bytes ------------------------------------------------------------------------------------- */

static bool is_present(const struct sis_mpi_side *side, uint32_t place)
{
	return !side->absent || !side->absent[place];
}

uint64_t sis__mpi_bytes_at(const int *counts, const MPI_Datatype *types, int each,
			   const struct sis_mpi_side *side)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < side->places; i++)
		bytes += is_present(side, i) && counts[i]
				 ? sis__mpi_bytes(counts[i], types[each ? i : 0])
				 : 0;
	return bytes;
}

uint64_t sis__mpi_bytes_at_c(const MPI_Count *counts, const MPI_Datatype *types, int each,
			     const struct sis_mpi_side *side)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < side->places; i++)
		bytes += is_present(side, i) && counts[i]
				 ? sis__mpi_bytes(counts[i], types[each ? i : 0])
				 : 0;
	return bytes;
}
