/* Work between polls is useful work, though the message is late. Polls before and after the work
 * wait: for 0.1 s each. A synchronous send that is tested waits for a late receiver. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.5 */
/* truth: 0 0 OSYNC_LATESEND 0.2 */
/* truth: 0 0 OSYNC_LATERECV 0.2 */
/* truth: 1 0 USEFUL 0.9 */
/* culprit: 1 0 OSYNC_LATESEND 0.2 slow */
/* culprit: 1 0 OSYNC_LATERECV 0.2 later */
/* advice: SENDER_LATE MPI_Test */
/* advice: RECEIVER_LATE MPI_Test */
#include <mpi.h>
#include "known.h"

#define WORLD MPI_COMM_WORLD
static int rank, n, done;
static MPI_Request request;
static MPI_Status status;
static MPI_Message message;

static void slow(void) { work(0.3); }
static void later(void) { work(0.2); }
static void useful(double seconds) { work(seconds); }

static double passed(double since) { return MPI_Wtime() - since; }

static void test_for(double seconds)
{
	for (double start = MPI_Wtime(); !done && passed(start) < seconds;)
		for (int i = 0; i < 1000 && !done; i++)
			MPI_Test(&request, &done, &status);
}

static void receiver(void)
{
	MPI_Irecv(&n, 1, MPI_INT, 1, 1, WORLD, &request);
	test_for(0.1);
	useful(0.1);
	test_for(9);
	for (done = 0; !done;) { /* 300 polls */
		MPI_Improbe(MPI_ANY_SOURCE, 2, WORLD, &done, &message, &status);
		if (!done)
			useful(0.001);
	}
	MPI_Mrecv(&n, 1, MPI_INT, &message, &status);
	MPI_Issend(&n, 1, MPI_INT, 1, 3, WORLD, &request);
	done = 0;
	test_for(9);
	useful(0.1);
}

static void sender(void)
{
	slow();
	MPI_Send(&n, 1, MPI_INT, 0, 1, WORLD);
	slow();
	MPI_Send(&n, 1, MPI_INT, 0, 2, WORLD);
	later();
	MPI_Recv(&n, 1, MPI_INT, 0, 3, WORLD, &status);
	useful(0.1);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	MPI_Barrier(WORLD);
	if (rank == 0)
		receiver();
	else
		sender();
	MPI_Finalize();
	return 0;
}
