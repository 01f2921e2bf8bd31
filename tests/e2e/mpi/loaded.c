/* loaded.c - a program that opens its MPI library itself and takes each routine by dlsym, as ctypes
 * does. Process 0 is 0.3 s late with a message.
 *
 *   loaded LIBRARY [deep]    deep: the library prefers its own symbols to those of the program
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static void *library;

static void *get(const char *name)
{
	void *found = dlsym(library, name);
	if (!found)
		fprintf(stderr, "%s\n", dlerror());
	return found;
}

/* The routine `name` of MPI, by a pointer. */
#define ROUTINE(name) ((__typeof__(&name))get(#name))
/* Handles that are variables of the library. */
#ifdef OPEN_MPI
#define WORLD ((MPI_Comm)get("ompi_mpi_comm_world"))
#define INT ((MPI_Datatype)get("ompi_mpi_int"))
#define SUM ((MPI_Op)get("ompi_mpi_op_sum"))
#else
#define WORLD MPI_COMM_WORLD
#define INT MPI_INT
#define SUM MPI_SUM
#endif

int main(int argc, char **argv)
{
	int rank, value = 7, sum = 0;
	MPI_Status status;
	library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | (argc > 2 ? RTLD_DEEPBIND : 0));
	if (!library)
		return fprintf(stderr, "%s\n", dlerror());
	ROUTINE(MPI_Init)(&argc, &argv);
	ROUTINE(MPI_Comm_rank)(WORLD, &rank);
	if (rank == 0) {
		usleep(300000);
		ROUTINE(MPI_Send)(&value, 1, INT, 1, 5, WORLD);
	} else {
		ROUTINE(MPI_Recv)(&value, 1, INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &status);
		value = status.MPI_SOURCE + status.MPI_TAG;
	}
	ROUTINE(MPI_Allreduce)(&value, &sum, 1, INT, SUM, WORLD);
	ROUTINE(PMPI_Allreduce)(MPI_IN_PLACE, &sum, 1, INT, SUM, WORLD);
	if (rank == 0)
		printf("%d\n", sum);
	ROUTINE(MPI_Finalize)();
	return 0;
}
