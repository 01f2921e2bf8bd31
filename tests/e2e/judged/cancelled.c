/* Two phases: in the first rank 0 has more to do, in the second the last rank has even more. So the
 * difference of the first one costs nobody anything. */
/* run: 2 1 */
/* run: 4 1 */
/* fault: late_phase */
/* remedy: PROCESSES_UNEVEN PROCESSES_LATE PART_PROCESSES UNPAR_PROCESS */
#include <mpi.h>
#include "own_log.h"

static void early_phase(int more) { compute(more ? 0.04 : 0.01); }
static void late_phase(int more) { compute(more ? 0.1 : 0.01); }

int main(int argc, char **argv)
{
	int rank, size;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	own_start(rank);
	for (int step = 0; step < 6; step++) {
		early_phase(rank == 0);
		late_phase(rank == size - 1);
		own_all("mpi-step", step, 0);
		MPI_Barrier(MPI_COMM_WORLD);
		own_done();
	}
	own_all("mpi-finalize", 0, 0);
	MPI_Finalize();
	own_done();
	own_end();
	return 0;
}
