/* A ring of MPI_Sendrecv that one rank joins late: its right neighbour waits for it. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 1 0 OSYNC_LATESEND 0.3 */
/* advice: SENDER_LATE MPI_Sendrecv */
#include <mpi.h>
#include "known.h"

int main(int argc, char **argv)
{
	int rank, size, out, in;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		work(0.3);
	out = rank;
	MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT,
		     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return in != (rank + size - 1) % size;
}
