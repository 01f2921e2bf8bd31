/* Uneven threads, then uneven initial threads before MPI_Barrier: a worker shares its process's
 * wait. */
/* build: -fopenmp */
/* run: 2 2 */
/* truth: 0-1 0 OSYNC_IBAR 0.1 */
/* truth: 0 1 OLOSS_UNPAR 0.1 */
/* truth: 0 0-1 OSYNC_MBAR 0.2 */
/* truth: 1 1 OLOSS_UNPAR 0.3 */
/* truth: 0 0 USEFUL 0.2 */
/* truth: 1 0 USEFUL 0.4 */
/* truth: 0-1 1 USEFUL 0.2 */
/* advice: UNPAR_SERIAL work */
/* advice: PROCESSES_UNEVEN MPI_Barrier */
/* advice: TEAM_UNEVEN omp parallel */
#include <mpi.h>
#include <omp.h>
#include "known.h"

static void compute(int rank)
{
#pragma omp parallel
	work(0.1 * (omp_get_thread_num() + 1));
	work(0.1 + 0.2 * rank);
}

int main(int argc, char **argv)
{
	int rank, given;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	compute(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
