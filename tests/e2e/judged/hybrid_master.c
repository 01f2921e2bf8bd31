/* Ranks with teams. The master of each team exchanges borders; that of the last rank has to compute
 * them first, while all others wait. */
/* build: -fopenmp */
/* run: 2 1 */
/* run: 2 2 */
/* fault: boundary_condition */
/* remedy: SENDER_LATE SENDER_UNEVEN UNPAR_PROCESS PART_PROCESSES UNPAR_TEAM PART_THREADS */
#include <mpi.h>
#include "own_log.h"

static int rank, size;

static void interior(void) { compute(0.02); }
static void boundary_condition(void) { compute(0.06); }

static void exchange(int step)
{
	double mine = rank, theirs;
	int other = 1 - rank;
	if (rank == size - 1)
		boundary_condition();
	own_release("mpi-border", other, step);
	own_until("mpi-border", rank, step);
	MPI_Sendrecv(&mine, 1, MPI_DOUBLE, other, 0, &theirs, 1, MPI_DOUBLE, other, 0,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	own_done();
}

int main(int argc, char **argv)
{
	int given;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	own_start(rank);
#pragma omp parallel
	{
		own_live();
		for (int step = 0; step < 7; step++) {
#pragma omp master
			exchange(step);
			own_all("exchanged", step, 0);
#pragma omp barrier
			own_done();
			interior();
		}
		own_leave(0);
	}
	own_all("mpi-finalize", 0, 0);
	MPI_Finalize();
	own_done();
	own_end();
	return 0;
}
