/* Ranks ask again and again whether the data of rank 0 has come, and sleep between. */
/* run: 2 1 */
/* run: 4 1 */
/* fault: produce */
/* remedy: SENDER_LATE SENDER_UNEVEN UNPAR_PROCESS PART_PROCESSES */
#include <mpi.h>
#include <unistd.h>
#include "own_log.h"

static int rank, size;

static void produce(void) { compute(0.06); }
static void consume(void) { compute(0.02); }

static void await_data(int step)
{
	MPI_Request request;
	int value, done = 0;
	MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
	own_until("mpi-data", rank, step);
	for (;;) {
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
		if (done)
			break;
		usleep(500);
	}
	own_done();
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	own_start(rank);
	for (int step = 0; step < 8; step++) {
		if (rank > 0) {
			await_data(step);
			consume();
			continue;
		}
		produce();
		for (int i = 1; i < size; i++) {
			own_release("mpi-data", i, step);
			MPI_Send(&step, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
		}
	}
	own_all("mpi-finalize", 0, 0);
	MPI_Finalize();
	own_done();
	own_end();
	return 0;
}
