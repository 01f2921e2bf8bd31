/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_neighbour.c - collectives with the neighbours in a topology: the neighbours, the records, and
 * the bytes that are sent to neighbours and received from them. Called by the wrapper's thread
 * after its call has ended.
 *
 * A communicator's topology is made with the communicator and never changes, so MPI is asked once.
 * The neighbours that send to this process are also recorded once, because this process waits only
 * for them. The calls are numbered like other collectives of the communicator.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "adapters/mpi/mpi_fast_path.h"

/* -- the neighbours ---------------------------------------------------------------------------- */

static struct sis_mpi_neighbours *neighbours_new(int from, int to, int borders)
{
	struct sis_mpi_neighbours *n = calloc(1, sizeof *n + (size_t)from * sizeof *n->rank +
							 (size_t)borders * sizeof(bool));
	if (!n)
		return NULL;
	n->from = (struct sis_mpi_side){ .places = (uint32_t)from, .present = (uint32_t)from };
	n->to = (struct sis_mpi_side){ .places = (uint32_t)to, .present = (uint32_t)to };
	return n;
}

/* A grid has two neighbours for each dimension; each may be this process itself. */
static struct sis_mpi_neighbours *of_grid(MPI_Comm comm)
{
	int dimensions = 0, neighbour[2];
	PMPI_Cartdim_get(comm, &dimensions);
	struct sis_mpi_neighbours *n = neighbours_new(2 * dimensions, 2 * dimensions,
						      2 * dimensions);
	if (!n)
		return NULL;
	bool *border = (bool *)(n->rank + 2 * dimensions);
	uint32_t present = 0;
	for (int i = 0; i < 2 * dimensions; i++) {
		if (i % 2 == 0)
			PMPI_Cart_shift(comm, i / 2, 1, &neighbour[0], &neighbour[1]);
		border[i] = neighbour[i % 2] == MPI_PROC_NULL;
		if (!border[i])
			n->rank[present++] = neighbour[i % 2];
	}
	n->from.present = present;
	n->from.absent = border;
	n->to = n->from;
	return n;
}

static struct sis_mpi_neighbours *of_graph(MPI_Comm comm)
{
	int rank = 0, count = 0;
	PMPI_Comm_rank(comm, &rank);
	PMPI_Graph_neighbors_count(comm, rank, &count);
	struct sis_mpi_neighbours *n = neighbours_new(count, count, 0);
	if (n)
		PMPI_Graph_neighbors(comm, rank, count, n->rank);
	return n;
}

/* MPI also returns weights and targets, for which there must be room. */
static struct sis_mpi_neighbours *of_distributed_graph(MPI_Comm comm)
{
	int from = 0, to = 0, weighted = 0;
	PMPI_Dist_graph_neighbors_count(comm, &from, &to, &weighted);
	struct sis_mpi_neighbours *n = neighbours_new(from, to, 0);
	int *rest = calloc((size_t)from + 2 * (size_t)to + 1, sizeof *rest);
	if (n && rest)
		PMPI_Dist_graph_neighbors(comm, from, n->rank, rest, to, rest + from,
					  rest + from + to);
	else
		free(n), n = NULL;
	free(rest);
	return n;
}

static struct sis_mpi_neighbours *of_topology(MPI_Comm comm)
{
	int kind = MPI_UNDEFINED;
	PMPI_Topo_test(comm, &kind);
	switch (kind) {
	case MPI_CART: return of_grid(comm);
	case MPI_GRAPH: return of_graph(comm);
	case MPI_DIST_GRAPH: return of_distributed_graph(comm);
	default: return neighbours_new(0, 0, 0);
	}
}

/* If two threads ask MPI at the same time, the second one uses the result of the first (acquire,
 * release). */
static struct sis_mpi_neighbours *neighbours_of(struct sis_mpi_comm *c, MPI_Comm comm)
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

/* -- records ----------------------------------------------------------------------------------- */

static void record_neighbours(const struct sis_mpi_call *call, uint32_t comm,
			      struct sis_mpi_neighbours *n)
{
	if (atomic_load_explicit(&n->recorded, memory_order_relaxed) ||
	    atomic_exchange_explicit(&n->recorded, true, memory_order_relaxed))
		return;
	for (uint32_t i = 0; i < n->from.present; i++)
		sis__mpi_record(call, (struct sis_record){ .kind = SIS_RECORD_NEIGHBOUR,
							   .comm = comm,
							   .peer = n->rank[i],
							   .tag = -1 });
}

/* Returns the neighbours, after they were recorded in the log. Returns NULL if the call is not
 * measured, or if there is no memory. */
static const struct sis_mpi_neighbours *measured(const struct sis_mpi_call *call,
						 struct sis_mpi_comm *c, MPI_Comm comm)
{
	struct sis_mpi_neighbours *n = call->thread ? neighbours_of(c, comm) : NULL;
	if (n)
		record_neighbours(call, c->id, n);
	return n;
}

const struct sis_mpi_neighbours *sis__mpi_neighbours(struct sis_mpi_call *call, MPI_Comm comm)
{
	struct sis_mpi_comm *c = sis__mpi_comm(comm);
	if (!c)
		return NULL;
	uint64_t serial = sis__mpi_comm_serial(c);
	const struct sis_mpi_neighbours *n = measured(call, c, comm);
	sis__mpi_record(call, (struct sis_record){ .kind = SIS_RECORD_NEIGH,
						   .comm = c->id,
						   .peer = -1,
						   .tag = -1,
						   .serial = serial });
	return n;
}

/* The bytes of a persistent request are counted at each start (sis__mpi_collective_moves). */
const struct sis_mpi_neighbours *sis__mpi_neighbours_init(struct sis_mpi_call *call, MPI_Comm comm,
							  MPI_Request request)
{
	struct sis_mpi_comm *c = sis__mpi_collective_init(SIS_RECORD_NEIGH, comm, -1, request);
	struct sis_mpi_neighbours *n = c ? neighbours_of(c, comm) : NULL;
	if (n && call->thread)
		record_neighbours(call, c->id, n);
	return n;
}

const struct sis_mpi_neighbours *sis__mpi_neighbours_begun(struct sis_mpi_call *call, MPI_Comm comm,
							   MPI_Request request)
{
	struct sis_mpi_comm *c = sis__mpi_collective_begun(call, SIS_RECORD_NEIGH, comm, -1,
							   request);
	return c ? measured(call, c, comm) : NULL;
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
