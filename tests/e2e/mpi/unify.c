/* unify.c [HOW] - ranks that differ in regions and records; HOW says what happens around
 * MPI_Finalize(). */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int steps, rank, size;
static void step(void) { usleep(1), steps++; }
static void odd(void) { step(); }
static void after(void) { usleep(1), steps++; }
static void exchange(MPI_Comm comm)
{
	int sum, next = (rank + 1) % size, before = (rank + size - 1) % size;
	MPI_Allreduce(&steps, &sum, 1, MPI_INT, MPI_SUM, comm);
	MPI_Sendrecv(&steps, 1, MPI_INT, next, 0, &sum, 1, MPI_INT, before, 0, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
}
static void child(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		odd();
		exit(0);
	}
	waitpid(pid, NULL, 0);
}
int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	MPI_Comm part;
	MPI_Init(&argc, &argv);
	atexit(after);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
	for (int i = 0; i < 10; i++) {
		step();
		exchange(part);
	}
	if (rank % 2)
		odd();
#pragma omp parallel
	step();
	if (!strcmp(how, "fork"))
		child();
	printf("%d of %d\n", rank, size);
	fflush(stdout);
	MPI_Barrier(MPI_COMM_WORLD);
	if (!strcmp(how, "mark") && rank == 0)
		fclose(fopen("finalizing", "w"));
	MPI_Barrier(MPI_COMM_WORLD);
	if (!strcmp(how, "pmpi"))
		PMPI_Finalize();
	else
		MPI_Finalize();
	after();
	if (!strcmp(how, "fork-late"))
		child();
	if (!strcmp(how, "kill") && rank == 0)
		raise(SIGKILL);
	if (!strcmp(how, "_exit"))
		_exit(0);
	return 0;
}
