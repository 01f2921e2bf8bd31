/* A token goes round a ring of ranks; each computes before it hands it on. Rank 0 is slow. */
/* run: 2 1 */
/* run: 4 1 */
/* fault: inspect */
/* remedy: SERIALIZED SENDER_LATE SENDER_UNEVEN UNPAR_PROCESS PART_PROCESSES */
#include <mpi.h>
#include "own_log.h"

static int rank, size, token;

static void stamp(void) { compute(0.01); }
static void inspect(void) { compute(0.06); }

static void get(int from, int round)
{
	own_until("mpi-token", rank, round);
	MPI_Recv(&token, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	own_done();
}

static void put(int round)
{
	int to = (rank + 1) % size;
	own_release("mpi-token", to, round);
	MPI_Send(&token, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	own_start(rank);
	for (int round = 0; round < 8; round++) {
		if (rank == 0) {
			inspect();
			put(round);
			get(size - 1, round);
		} else {
			get(rank - 1, round);
			stamp();
			put(round);
		}
	}
	own_all("mpi-finalize", 0, 0);
	MPI_Finalize();
	own_done();
	own_end();
	return 0;
}
