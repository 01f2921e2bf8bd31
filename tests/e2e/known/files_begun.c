/* Collective file calls that one call begins and another one completes: a process waits in the wait
 * or test for the process that begins late. With Open MPI it does not wait. */
/* run: 2 1 */
/* mpich truth: 0 0 OSYNC_FILE 0.4 */
/* truth: 0 0 USEFUL 0.4 */
/* mpich truth: 1 0 OSYNC_FILE 0.4 */
/* truth: 1 0 USEFUL 0.4 */
/* truth: 0-1 0 ODATA_META - */
/* mpich culprit: 1 0 OSYNC_FILE 0.2 writes */
/* mpich culprit: 0 0 OSYNC_FILE 0.2 writes_at */
/* mpich culprit: 1 0 OSYNC_FILE 0.2 reads */
/* mpich culprit: 0 0 OSYNC_FILE 0.2 reads_at */
/* mpich advice: PROCESSES_LATE MPI_Test */
/* mpich advice: PROCESSES_LATE MPI_Wait */
#include <mpi.h>
#include "known.h"

#define WORLD MPI_COMM_WORLD
#define LATE(who, name) \
	do { \
		if (rank == who) \
			name(); \
	} while (0)
static int rank;
static MPI_Request request;

static void writes(void) { work(0.2); }
static void writes_at(void) { work(0.2); }
static void reads(void) { work(0.2); }
static void reads_at(void) { work(0.2); }

static void poll(void)
{
	for (int done = 0; !done;)
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	int data[2] = { 1, 2 };
	MPI_File file;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	MPI_File_open(WORLD, "files.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	MPI_File_set_view(file, 8 * rank, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	LATE(1, writes);
	MPI_File_iwrite_all(file, data, 2, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	LATE(0, writes_at);
	MPI_File_iwrite_at_all(file, 0, data, 2, MPI_INT, &request);
	poll();
	LATE(1, reads);
	MPI_File_seek(file, 0, MPI_SEEK_SET);
	MPI_File_iread_all(file, data, 2, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	LATE(0, reads_at);
	MPI_File_iread_at_all(file, 0, data, 2, MPI_INT, &request);
	poll();
	MPI_File_close(&file);
	MPI_Finalize();
	return 0;
}
