/* Rank 0 formats and writes a file of results before it comes to the sum of all. */
/* run: 2 1 */
/* run: 4 1 */
/* fault: write_output */
/* remedy: PROCESSES_LATE PROCESSES_UNEVEN UNPAR_PROCESS PART_PROCESSES */
#include <mpi.h>
#include <string.h>
#include "own_log.h"

static void advance(void) { compute(0.03); }

static void write_output(int step)
{
	static char text[1 << 20];
	char name[64];
	compute(0.04);
	OWN_IO();
	snprintf(name, sizeof(name), "output.%d", step);
	FILE *file = fopen(name, "w");
	memset(text, 'x', sizeof(text));
	for (int i = 0; i < 8; i++)
		fwrite(text, 1, sizeof(text), file);
	fclose(file);
	remove(name);
	OWN_END();
}

int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	own_start(rank);
	for (int step = 0; step < 7; step++) {
		double mine = 1, sum;
		advance();
		if (rank == 0)
			write_output(step);
		own_all("mpi-sum", step, 0);
		MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		own_done();
	}
	own_all("mpi-finalize", 0, 0);
	MPI_Finalize();
	own_done();
	own_end();
	return 0;
}
