/* The target posts its window late: MPI_Win_start or MPI_Win_complete waits for the post. The
 * origin completes late: MPI_Win_wait waits for the origin. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.2 */
/* truth: 0 0 OSYNC_PSCW 0.3 */
/* truth: 1 0 USEFUL 0.3 */
/* truth: 1 0 OSYNC_PSCW 0.2 */
/* culprit: 1 0 OSYNC_PSCW 0.3 work */
/* culprit: 0 0 OSYNC_PSCW 0.2 work */
/* mpich advice: WINDOW_EPOCH MPI_Win_start */
/* openmpi advice: WINDOW_EPOCH MPI_Win_complete */
/* advice: WINDOW_EPOCH MPI_Win_wait */
#include <mpi.h>
#include "known.h"

int main(int argc, char **argv)
{
	int rank, memory = 0, other;
	MPI_Win window;
	MPI_Group all, partner;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	other = !rank;
	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_incl(all, 1, &other, &partner);
	MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD,
		       &window);
	MPI_Barrier(MPI_COMM_WORLD);
	/* a first access, so that it has waited for the post wherever this MPI does so */
	if (rank == 0) {
		MPI_Win_start(partner, 0, window);
		MPI_Win_complete(window);
		MPI_Win_start(partner, 0, window);
		work(0.2);
		MPI_Win_complete(window);
	} else {
		work(0.3);
		MPI_Win_post(partner, 0, window);
		MPI_Win_wait(window);
		MPI_Win_post(partner, 0, window);
		MPI_Win_wait(window);
	}
	MPI_Win_free(&window);
	MPI_Group_free(&partner);
	MPI_Group_free(&all);
	MPI_Finalize();
	return 0;
}
