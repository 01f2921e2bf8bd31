/* surroundings_ranks.c - a timer interrupts MPI calls; its handler is instrumented. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
static volatile int handled;
static int tick(int n) { return n + 1; }
/* Of any thread: MPI may have one of its own. */
static void handle(int number) { __atomic_fetch_add(&handled, tick(number) > 0, __ATOMIC_RELAXED); }
int main(int argc, char **argv)
{
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action = { .sa_handler = handle, .sa_flags = SA_RESTART };
	int rank, x = 0, all;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 300; i++) {
		if (rank == 0) {
			nanosleep(&(struct timespec){ .tv_nsec = 700000 }, NULL);
			MPI_Send(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
		} else {
			MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
		MPI_Allreduce(&i, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	MPI_Reduce((int *)&handled, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d\n", all);
	MPI_Finalize();
	return 0;
}
