/* A loop over MPI_Win_test waits for the origin, which completes late, as MPI_Win_wait would. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.5 */
/* truth: 1 0 USEFUL 0.1 */
/* truth: 1 0 OSYNC_PSCW 0.4 */
/* culprit: 0 0 OSYNC_PSCW 0.2 first */
/* culprit: 0 0 OSYNC_PSCW 0.2 second */
/* advice: WINDOW_EPOCH MPI_Win_test */
#include <mpi.h>
#include "known.h"

static void first(void) { work(0.2); }
static void second(void) { work(0.3); }

static void test(MPI_Win window)
{
	for (int done = 0; !done;)
		MPI_Win_test(window, &done);
}

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
	if (rank == 0) {
		MPI_Win_start(partner, 0, window);
		first();
		MPI_Win_complete(window);
		MPI_Win_start(partner, 0, window);
		second();
		MPI_Win_complete(window);
	} else {
		MPI_Win_post(partner, 0, window);
		test(window);
		MPI_Win_post(partner, 0, window);
		work(0.1);
		test(window);
	}
	MPI_Win_free(&window);
	MPI_Group_free(&partner);
	MPI_Group_free(&all);
	MPI_Finalize();
	return 0;
}
