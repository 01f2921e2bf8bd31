/* A pipeline of ranks, each of which works on an item and hands it on. The first stage is slow. */
/* run: 2 1 */
/* run: 4 1 */
/* fault: transform */
/* remedy: SERIALIZED SENDER_LATE SENDER_UNEVEN UNPAR_PROCESS PART_PROCESSES */
#include <mpi.h>
#include "own_log.h"

static int rank, size;

static void transform(void) { compute(0.05); }
static void store(void) { compute(0.01); }

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	own_start(rank);
	for (int item = 0; item < 10; item++) {
		if (rank > 0) {
			own_until("mpi-item", rank, item);
			MPI_Recv(&item, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			own_done();
			store();
		} else {
			transform();
		}
		if (rank < size - 1) {
			own_release("mpi-item", rank + 1, item);
			MPI_Send(&item, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
		}
	}
	own_all("mpi-finalize", 0, 0);
	MPI_Finalize();
	own_done();
	own_end();
	return 0;
}
