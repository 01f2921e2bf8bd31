/* A master makes parcels of work for workers, which takes it longer than a worker needs for one. */
/* run: 2 1 */
/* run: 4 1 */
/* fault: make_parcel */
/* remedy: SENDER_LATE SENDER_UNEVEN UNPAR_PROCESS PART_PROCESSES */
#include <mpi.h>
#include "own_log.h"

static int rank, size;

static void make_parcel(void) { compute(0.04); }
static void work_on_parcel(void) { compute(0.02); }

static void master(void)
{
	for (int parcel = 0; parcel < 12; parcel++) {
		int worker = 1 + parcel % (size - 1);
		make_parcel();
		own_release("mpi-parcel", worker, parcel);
		MPI_Send(&parcel, 1, MPI_INT, worker, 0, MPI_COMM_WORLD);
	}
}

static void worker(void)
{
	for (int parcel = rank - 1; parcel < 12; parcel += size - 1) {
		int got;
		own_until("mpi-parcel", rank, parcel);
		MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		own_done();
		work_on_parcel();
	}
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	own_start(rank);
	if (rank == 0)
		master();
	else
		worker();
	own_all("mpi-finalize", 0, 0);
	MPI_Finalize();
	own_done();
	own_end();
	return 0;
}
