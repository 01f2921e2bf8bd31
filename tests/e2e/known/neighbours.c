/* Collectives with neighbours: in a line of processes, in a directed ring, and in a line that is a
 * graph. In each one process is late. Only its neighbours wait; the third process has work then. */
/* run: 3 1 */
/* truth: 0 0 USEFUL 0.6 */
/* truth: 1 0 USEFUL 0.2 */
/* truth: 1 0 OSYNC_NEIGH 0.4 */
/* truth: 2 0 USEFUL 0.4 */
/* truth: 2 0 OSYNC_NEIGH 0.2 */
/* culprit: 0 0 OSYNC_NEIGH 0.2 first */
/* culprit: 1 0 OSYNC_NEIGH 0.2 second */
/* culprit: 2 0 OSYNC_NEIGH 0.2 third */
/* advice: PROCESSES_LATE MPI_Wait */
/* advice: PROCESSES_LATE MPI_Neighbor_alltoallv */
/* advice: PROCESSES_LATE MPI_Neighbor_allgather */
#include <mpi.h>
#include "known.h"

#define WORLD MPI_COMM_WORLD
static int rank, in[2], out[2] = { 1, 2 };

static void first(void) { work(0.2); }
static void second(void) { work(0.2); }
static void third(void) { work(0.2); }
static void own(void) { work(0.2); }

static void in_line(MPI_Comm line)
{
	if (rank == 0)
		first();
	MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, line);
	if (rank == 2)
		own();
}

static void in_ring(MPI_Comm ring)
{
	MPI_Request request;
	if (rank == 1)
		second();
	MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (rank == 0)
		own();
}

static void in_graph(MPI_Comm graph)
{
	int one[] = { 1, 1 }, at[] = { 0, 1 };
	if (rank == 2)
		third();
	MPI_Neighbor_alltoallv(out, one, at, MPI_INT, in, one, at, MPI_INT, graph);
	if (rank == 0)
		own();
}

int main(int argc, char **argv)
{
	int size, no = 0, ends[] = { 1, 3, 4 }, edges[] = { 1, 0, 2, 1 };
	int *volatile unweighted = MPI_UNWEIGHTED; /* gcc warns about Open MPI's constant */
	MPI_Comm line, ring, graph;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	MPI_Comm_size(WORLD, &size);
	int before = (rank + size - 1) % size, after = (rank + 1) % size;
	MPI_Cart_create(WORLD, 1, &size, &no, no, &line);
	MPI_Dist_graph_create_adjacent(WORLD, 1, &before, unweighted, 1, &after, unweighted,
				       MPI_INFO_NULL, no, &ring);
	MPI_Graph_create(WORLD, size, ends, edges, no, &graph);
	MPI_Barrier(WORLD);
	in_line(line);
	MPI_Barrier(WORLD);
	in_ring(ring);
	MPI_Barrier(WORLD);
	in_graph(graph);
	MPI_Finalize();
	return 0;
}
