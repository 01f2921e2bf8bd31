/* Loops over MPI_Testall, Testany and Testsome wait for late senders, and so does a loop over a
 * function that tests. */
/* run: 2 1 */
/* truth: 0 0 OSYNC_LATESEND 0.7 */
/* truth: 1 0 USEFUL 0.7 */
/* culprit: 1 0 OSYNC_LATESEND 0.2 all */
/* culprit: 1 0 OSYNC_LATESEND 0.2 any */
/* culprit: 1 0 OSYNC_LATESEND 0.2 some */
/* culprit: 1 0 OSYNC_LATESEND 0.1 helped */
/* advice: SENDER_LATE MPI_Testall */
/* advice: SENDER_LATE MPI_Testsome */
/* advice: SENDER_LATE MPI_Testany */
/* advisable: SENDER_LATE MPI_Test */
#include <mpi.h>
#include "known.h"

#define WORLD MPI_COMM_WORLD
static int rank, in[2], out, done, which, indices[2];
static MPI_Request request[2];
static MPI_Status status[2];

static void all(void) { work(0.2); }
static void any(void) { work(0.2); }
static void some(void) { work(0.2); }
static void helped(void) { work(0.1); }

static void receive(int n)
{
	for (int i = 0; i < n; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, 1, i, WORLD, &request[i]);
	done = 0;
}

static void send(int tag) { MPI_Send(&out, 1, MPI_INT, 0, tag, WORLD); }

static int arrived(void)
{
	int flag;
	MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
	return flag;
}

static void receiver(void)
{
	receive(2);
	while (!done)
		MPI_Testall(2, request, &done, status);
	receive(2);
	while (!done)
		MPI_Testany(2, request, &which, &done, MPI_STATUS_IGNORE);
	MPI_Wait(&request[1 - which], MPI_STATUS_IGNORE);
	receive(2);
	while (done < 2) {
		int n;
		MPI_Testsome(2, request, &n, indices, status);
		done += n;
	}
	receive(1);
	while (!arrived())
		continue;
}

static void sender(void)
{
	send(0);
	all();
	send(1);
	any();
	send(1);
	send(0);
	some();
	send(1);
	send(0);
	helped();
	send(0);
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
