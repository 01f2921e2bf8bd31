/* Ranks with teams. A single construct holds a collective operation, to which one rank comes late,
 * because its team has a larger domain. */
/* build: -fopenmp */
/* run: 2 1 */
/* run: 2 2 */
/* fault: large_domain */
/* remedy: PROCESSES_UNEVEN PROCESSES_LATE PART_PROCESSES UNPAR_PROCESS PART_THREADS UNPAR_SINGLE */
#include <mpi.h>
#include "own_log.h"

static int rank;

static void small_domain(void) { compute(0.02); }
static void large_domain(void) { compute(0.08); }

static void sum_up(int step)
{
	double mine = rank, sum;
	own_all("mpi-sum", step, 0);
	MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	own_done();
}

int main(int argc, char **argv)
{
	int given;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &given);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	own_start(rank);
#pragma omp parallel
	{
		own_live();
		for (int step = 0; step < 6; step++) {
			if (rank == 0)
				large_domain();
			else
				small_domain();
			own_all("domain", step, 0);
#pragma omp barrier
			own_done();
#pragma omp single nowait
			sum_up(step);
			own_all("summed", step, 0);
#pragma omp barrier
			own_done();
		}
		own_leave(0);
	}
	own_all("mpi-finalize", 0, 0);
	MPI_Finalize();
	own_done();
	own_end();
	return 0;
}
