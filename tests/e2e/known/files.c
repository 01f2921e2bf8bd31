/* Collective calls on files wait for the late process: those that open and close a file, set its
 * view and its size, read and write. ROMIO does not wait in MPI_File_sync. Open MPI does not wait
 * in reads. Then process 1 makes up for the delay of process 0 there, and the wait at the end has
 * both delays of process 0 as its causes. */
/* run: 2 1 */
/* mpich truth: 0 0 OSYNC_FILE 0.6 */
/* openmpi truth: 0 0 OSYNC_FILE 0.4 */
/* truth: 0 0 USEFUL 0.8 */
/* mpich truth: 1 0 OSYNC_FILE 0.8 */
/* openmpi truth: 1 0 OSYNC_FILE 0.6 */
/* truth: 1 0 USEFUL 0.6 */
/* truth: 0-1 0 ODATA_META - */
/* truth: 0-1 0 ODATA_FSYNC - */
/* culprit: 1 0 OSYNC_FILE 0.2 opens */
/* culprit: 0 0 OSYNC_FILE 0.2 views */
/* culprit: 1 0 OSYNC_FILE 0.2 resizes */
/* culprit: 0 0 OSYNC_FILE 0.2 writes */
/* mpich culprit: 0 0 OSYNC_FILE 0.2 reads */
/* mpich culprit: 1 0 OSYNC_FILE 0.2 rereads */
/* mpich culprit: 0 0 OSYNC_FILE 0.2 closes */
/* openmpi culprit: 0 0 OSYNC_FILE 0.2 main */
/* advice: PROCESSES_LATE MPI_File_set_size */
/* advice: PROCESSES_LATE MPI_File_open */
/* advisable: PROCESSES_LATE MPI_File_write_at_all */
/* advisable: PROCESSES_LATE MPI_File_close */
/* advisable: PROCESSES_LATE MPI_File_set_view */
/* advisable: PROCESSES_LATE MPI_File_read_at_all */
/* advisable: PROCESSES_LATE MPI_File_sync */
/* mpich advice: PROCESSES_LATE MPI_File_read_all */
#include <mpi.h>
#include "known.h"

#define WORLD MPI_COMM_WORLD
#define LATE(who, name) \
	do { \
		if (rank == who) \
			name(); \
	} while (0)
static int rank;

static void opens(void) { work(0.2); }
static void views(void) { work(0.2); }
static void resizes(void) { work(0.2); }
static void writes(void) { work(0.2); }
static void reads(void) { work(0.2); }
static void rereads(void) { work(0.2); }
static void closes(void) { work(0.2); }

int main(int argc, char **argv)
{
	int data[2] = { 1, 2 };
	MPI_File file;
	MPI_Status status;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	MPI_Barrier(WORLD);
	LATE(1, opens);
	MPI_File_open(WORLD, "files.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	LATE(0, views);
	MPI_File_set_view(file, 8 * rank, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	LATE(1, resizes);
	MPI_File_set_size(file, 16);
	LATE(0, writes);
	MPI_File_write_at_all(file, 0, data, 2, MPI_INT, &status);
	MPI_File_sync(file);
	LATE(0, reads);
	MPI_File_read_at_all(file, 0, data, 2, MPI_INT, &status);
	LATE(1, rereads);
	MPI_File_seek(file, 0, MPI_SEEK_SET);
	MPI_File_read_all(file, data, 2, MPI_INT, &status);
	LATE(0, closes);
	MPI_File_close(&file);
	MPI_Finalize();
	return 0;
}
