/* phases.c - what runs between collectives; instrumented by hand, so that regions have known
 * numbers. ./phases [REGIONS]: with a number, that many regions in one phase. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "../include/work.h"
#include "sis/probe.h"

enum { MOST = 6000 };
static struct sis_region region[MOST];
static struct sis_unit unit = { SIS_PROBE_ABI, MOST, "{}", 2, NULL, region };
#define sis__unit unit
#define sis__regions region

static void serial(void) { SIS_SCOPE(0) rest(200); }
static void work(int ms) { SIS_SCOPE(1) rest(ms); }
static void outer(void)
{
	SIS_SCOPE(2)
	rest(100);
	SIS_SITE(3) MPI_Barrier(MPI_COMM_WORLD) SIS_SITE_END;
	rest(150);
	work(50);
}

int main(int argc, char **argv)
{
	int rank, many = argc > 1 ? atoi(argv[1]) : 0;
	for (unsigned k = 0; k < MOST; k++) {
		const char *what = k == 3 ? "CR_MPIBARRIER MPI_Barrier -" : "CR_F - -";
		region[k] = (struct sis_region){ SIS_ID_UNREGISTERED(k), 0, what };
	}
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		serial();
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < 3; i++)
		work(rank ? 100 : 50);
	MPI_Barrier(MPI_COMM_WORLD);
	outer();
	MPI_Barrier(MPI_COMM_WORLD);
	for (int k = 4; k < 4 + many; k++) {
		sis__enter(&unit, &region[k]);
		if (k == 4)
			rest(100);
		sis__leave(&region[k]);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		puts("done");
	MPI_Finalize();
	return 0;
}
