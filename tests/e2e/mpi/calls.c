/* calls.c - short programs of MPI for two processes or more, one a case: ./calls CASE [off].
 * Each ends with one line `done` from rank 0. What the wrappers must have recorded is in
 * mpi_calls.sh. `off`: measurement is paused in the case; what is measured comes after it. */
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
static int rank, size, other;
static char buffer[1024];
static MPI_Status status;

static void pingpong(void)
{
	for (int i = 0; i < 10; i++) {
		if (rank == 0)
			MPI_Send(buffer, 8, MPI_CHAR, 1, i, WORLD);
		MPI_Recv(buffer, 8, MPI_CHAR, other, i, WORLD, MPI_STATUS_IGNORE);
		if (rank == 1)
			MPI_Send(buffer, 8, MPI_CHAR, 0, i, WORLD);
	}
}

/* One call of MPI_Recv receives equal messages for long, and now and then one with another length,
 * tag, sender or communicator, or nothing (MPI_PROC_NULL). All messages are sent before, so that no
 * call waits for long. */
static void various(void)
{
	MPI_Comm same;
	MPI_Comm_dup(WORLD, &same);
	for (int i = 0; i < 2 * 3000; i++) {
		int n = i / 200 * 100 + i % 100, send = i % 200 < 100,
		    sender = (n + 50) / 300 % 2 + 1, nobody = n % 70 == 13;
		MPI_Comm comm = n % 1000 > 950 ? same : WORLD;
		if (i % 100 == 0)
			MPI_Barrier(WORLD);
		if (rank == 0 && !send)
			MPI_Recv(buffer, 100, MPI_CHAR,
				 nobody				? MPI_PROC_NULL :
					 n % 2 && n % 300 < 200 ? MPI_ANY_SOURCE :
								  sender,
				 MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
		else if (rank == sender && send && !nobody)
			MPI_Send(buffer, n % 50 == 7 ? 3 : 20, MPI_CHAR, 0, n % 90 == 11, comm);
	}
	MPI_Comm_free(&same);
}

static void waitall(void)
{
	MPI_Request request[80];
	MPI_Status statuses[80];
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 40; i++)
			MPI_Irecv(buffer + i, 1, MPI_CHAR, other, i, WORLD, &request[i]);
		for (int i = 0; i < 40; i++)
			MPI_Isend(buffer + 500 + i, 1, MPI_CHAR, other, i, WORLD, &request[40 + i]);
		MPI_Waitall(80, request, round ? statuses : MPI_STATUSES_IGNORE);
	}
}

static void completion(void)
{
	MPI_Request request[8];
	int index, flag = 0, count, indices[8], left = 6;
	for (int i = 0; i < 4; i++)
		MPI_Irecv(buffer + i, 1, MPI_CHAR, other, i, WORLD, &request[i]);
	for (int i = 0; i < 4; i++)
		MPI_Issend(buffer + 500 + i, 1, MPI_CHAR, other, i, WORLD, &request[4 + i]);
	MPI_Waitany(8, request, &index, MPI_STATUS_IGNORE);
	while (!flag)
		MPI_Testany(8, request, &index, &flag, &status);
	while (left > 0) {
		MPI_Testsome(8, request, &count, indices, MPI_STATUSES_IGNORE);
		left -= count;
	}
	MPI_Irecv(buffer, 4, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &request[0]);
	MPI_Send(buffer + 500, 3, MPI_CHAR, other, 77, WORLD);
	for (flag = 0; !flag;)
		MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
}

static void persistent(void)
{
	MPI_Request request[2];
	MPI_Recv_init(buffer, 100, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &request[0]);
	MPI_Send_init(buffer + 500, 6, MPI_CHAR, other, 5, WORLD, &request[1]);
	for (int i = 0; i < 4; i++) {
		MPI_Startall(2, request);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	}
	MPI_Start(&request[1]);
	MPI_Wait(&request[1], &status);
	MPI_Recv(buffer, 6, MPI_CHAR, other, 5, WORLD, &status);
	MPI_Request_free(&request[0]);
	MPI_Request_free(&request[1]);
}

static void probed(void)
{
	MPI_Message message;
	MPI_Request request;
	int flag = 0;
	MPI_Sendrecv(buffer, 11, MPI_INT, other, 1, buffer + 100, 11, MPI_INT, other, 1, WORLD,
		     &status);
	MPI_Sendrecv_replace(buffer, 12, MPI_CHAR, other, 2, other, 2, WORLD, MPI_STATUS_IGNORE);
	MPI_Isend(buffer, 7, MPI_CHAR, other, 3, WORLD, &request);
	MPI_Mprobe(MPI_ANY_SOURCE, 3, WORLD, &message, &status);
	MPI_Mrecv(buffer + 100, 7, MPI_CHAR, &message, MPI_STATUS_IGNORE);
	MPI_Wait(&request, &status);
	MPI_Isend(buffer, 9, MPI_CHAR, other, 4, WORLD, &request);
	while (!flag)
		MPI_Improbe(other, MPI_ANY_TAG, WORLD, &flag, &message, &status);
	MPI_Wait(&request, &status);
	MPI_Imrecv(buffer, 9, MPI_CHAR, &message, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* No messages at all, and one that is cancelled. */
static void none(void)
{
	MPI_Request request;
	MPI_Send(buffer, 1, MPI_CHAR, MPI_PROC_NULL, 0, WORLD);
	MPI_Recv(buffer, 1, MPI_CHAR, MPI_PROC_NULL, 0, WORLD, &status);
	MPI_Irecv(buffer, 1, MPI_CHAR, MPI_PROC_NULL, 0, WORLD, &request);
	MPI_Wait(&request, &status);
	MPI_Irecv(buffer, 1, MPI_CHAR, MPI_ANY_SOURCE, 99, WORLD, &request);
	MPI_Cancel(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Significant arguments only: what the standard says is ignored is garbage here. */
static void collectives(void)
{
	int in[8] = { rank, rank }, out[8] = { 0 }, ones[8], places[8], bytes[8];
	MPI_Datatype types[8];
	for (int i = 0; i < size; i++) {
		ones[i] = 1;
		places[i] = i;
		bytes[i] = 4 * i;
		types[i] = MPI_INT;
	}
	MPI_Bcast(in, 2, MPI_INT, 0, WORLD);
	MPI_Allgather(MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, out, 1, MPI_INT, WORLD);
	MPI_Gather(rank ? (void *)in : MPI_IN_PLACE, 1, MPI_INT, rank ? NULL : out, rank ? -5 : 1,
		   rank ? MPI_DATATYPE_NULL : MPI_INT, 0, WORLD);
	MPI_Gatherv(in, 1, MPI_INT, out, rank ? NULL : ones, rank ? NULL : places,
		    rank ? MPI_DATATYPE_NULL : MPI_INT, 0, WORLD);
	MPI_Scatter(in, 1, rank ? MPI_DATATYPE_NULL : MPI_INT, rank ? (void *)out : MPI_IN_PLACE, 1,
		    MPI_INT, 0, WORLD);
	MPI_Alltoallw(in, ones, bytes, types, out, ones, bytes, types, WORLD);
	MPI_Reduce_scatter(in, out, ones, MPI_INT, MPI_SUM, WORLD);
	MPI_Scan(in, out, 2, MPI_INT, MPI_SUM, WORLD);
	MPI_Reduce(rank ? (void *)in : MPI_IN_PLACE, in, 2, MPI_INT, MPI_SUM, 0, WORLD);
	MPI_Request request;
	MPI_Ibarrier(WORLD, &request);
	MPI_Wait(&request, &status);
	MPI_Allreduce(in, out, 2, MPI_INT, MPI_SUM, WORLD);
	MPI_Win win;
	MPI_Win_create(out, sizeof out, sizeof(int), MPI_INFO_NULL, WORLD, &win);
	MPI_Win_fence(0, win);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
}

/* Collectives that have requests; and persistent ones, which not all start in the same order. */
static void begun(void)
{
	int in[64] = { rank }, out[64], ones[8], ints[8];
	MPI_Datatype types[8];
	MPI_Request request[8];
	int count, indices[8], flag, left;
	for (int i = 0; i < 8; i++) {
		ones[i] = 1;
		ints[i] = i * (int)sizeof(int);
		types[i] = MPI_INT;
	}
	MPI_Ibarrier(WORLD, &request[0]);
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	MPI_Ibcast(in, 2, MPI_INT, 0, WORLD, &request[0]);
	for (flag = 0; !flag;)
		MPI_Test(&request[0], &flag, &status);
	MPI_Igather(rank ? in : MPI_IN_PLACE, 1, MPI_INT, out, 1, MPI_INT, 0, WORLD, &request[0]);
	MPI_Iscatter(in, 1, MPI_INT, rank ? out + 8 : MPI_IN_PLACE, 1, MPI_INT, 0, WORLD,
		     &request[1]);
	MPI_Ialltoallw(in, ones, ints, types, out + 16, ones, ints, types, WORLD, &request[2]);
	MPI_Ireduce_scatter(in, out + 24, ones, MPI_INT, MPI_SUM, WORLD, &request[3]);
	for (left = 4; left; left -= count)
		MPI_Waitsome(4, request, &count, indices, MPI_STATUSES_IGNORE);
#if MPI_VERSION >= 4
	MPI_Allreduce_init(in, out, 3, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL, &request[0]);
	MPI_Bcast_init(out + 8, 4, MPI_INT, size - 1, WORLD, MPI_INFO_NULL, &request[1]);
	MPI_Barrier_init(WORLD, MPI_INFO_NULL, &request[2]);
	for (int round = 0; round < 3; round++) {
		MPI_Start(&request[rank == 0 ? 0 : 1]);
		MPI_Startall(2,
			     rank == 0 ? &request[1] : (MPI_Request[]){ request[0], request[2] });
		MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
	}
	for (int i = 0; i < 3; i++)
		MPI_Request_free(&request[i]);
#endif
}

static void communicators(void)
{
	MPI_Comm dup, half, idup, group_comm, self, inter, merged, cart;
	MPI_Group world, group;
	MPI_Request request;
	int all[2] = { 1, 0 }, dims[1] = { size }, periods[1] = { 1 };
	MPI_Comm_dup(WORLD, &dup);
	MPI_Comm_split(dup, rank % 2, -rank, &half);
	MPI_Barrier(half);
	MPI_Comm_free(&half);
	MPI_Comm_split(dup, rank % 2, -rank, &half);
	MPI_Allreduce(MPI_IN_PLACE, buffer, 1, MPI_INT, MPI_SUM, half);
	MPI_Comm_idup(half, &idup, &request);
	MPI_Wait(&request, &status);
	MPI_Barrier(idup);
	MPI_Comm_group(WORLD, &world);
	MPI_Group_incl(world, 2, all, &group);
	for (int i = 0; i < 2; i++)
		if (rank < 2) {
			MPI_Comm_create_group(WORLD, group, 5, &group_comm);
			MPI_Barrier(group_comm);
			MPI_Comm_free(&group_comm);
		}
	MPI_Comm_split(WORLD, rank % 2, 0, &self);
	MPI_Intercomm_create(self, 0, WORLD, (rank + 1) % 2, 11, &inter);
	MPI_Barrier(inter);
	MPI_Intercomm_merge(inter, rank % 2, &merged);
	MPI_Barrier(merged);
	MPI_Cart_create(WORLD, 1, dims, periods, 1, &cart);
	MPI_Barrier(cart);
	MPI_Barrier(MPI_COMM_SELF);
}

static MPI_Comm thread_comm[4];

static void *thread(void *argument)
{
	long me = (long)argument;
	char mine[64];
	MPI_Request request[16];
	for (int i = 0; i < 200; i++) {
		for (int k = 0; k < 8; k++)
			MPI_Irecv(mine + k, 1, MPI_CHAR, other, k, thread_comm[me], &request[k]);
		for (int k = 0; k < 8; k++)
			MPI_Isend(mine + 32 + k, 1, MPI_CHAR, other, k, thread_comm[me],
				  &request[8 + k]);
		MPI_Waitall(16, request, MPI_STATUSES_IGNORE);
		if (i % 50 == 0) {
			MPI_Comm made;
			MPI_Comm_dup(thread_comm[me], &made);
			MPI_Barrier(made);
			MPI_Comm_free(&made);
		}
	}
	return NULL;
}

static void threads(void)
{
	pthread_t id[4];
	for (int i = 0; i < 4; i++)
		MPI_Comm_dup(WORLD, &thread_comm[i]);
	for (long i = 0; i < 4; i++)
		pthread_create(&id[i], NULL, thread, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(id[i], NULL);
}

/* Rank 0 does not measure for a while: names and numbers must agree all the same. */
static void muted(void)
{
	MPI_Comm made;
	MPI_Barrier(WORLD);
	if (rank == 0) {
		MPI_Pcontrol(0);
		MPI_Pcontrol(0);
	}
	MPI_Barrier(WORLD);
	MPI_Comm_dup(WORLD, &made);
	if (rank == 0)
		MPI_Pcontrol(1);
	MPI_Barrier(made);
	PMPI_Barrier(WORLD);
	MPI_Barrier(WORLD);
}

static jmp_buf back;
static void jump(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	longjmp(back, 1);
}

static void errors(void)
{
	MPI_Errhandler handler;
	MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
	if (MPI_Send(buffer, 1, MPI_CHAR, 77, 1, WORLD) == MPI_SUCCESS)
		puts("no error");
	MPI_Comm_create_errhandler(jump, &handler);
	MPI_Comm_set_errhandler(WORLD, handler);
	if (!setjmp(back))
		MPI_Send(buffer, 1, MPI_CHAR, 77, 1, WORLD);
	MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_ARE_FATAL);
	MPI_Barrier(WORLD);
	MPI_Barrier(WORLD);
}

/* Messages that are too long for their buffers, however they are received, and one after each that
 * is not. */
static void cut(void)
{
	MPI_Request request[2];
	MPI_Message message;
	int index, flag = 0, count, indices[2], errors = 0;
	MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
	for (int way = 0; way < 7; way++) {
		MPI_Barrier(WORLD);
		if (rank == 0) {
			MPI_Send(buffer, 20, MPI_CHAR, 1, way, WORLD);
			MPI_Send(buffer, 5, MPI_CHAR, 1, way, WORLD);
			continue;
		}
		if (way == 0)
			errors += MPI_Recv(buffer, 10, MPI_CHAR, 0, way, WORLD,
					   MPI_STATUS_IGNORE) != MPI_SUCCESS;
		if (way == 1 && MPI_Mprobe(0, way, WORLD, &message, &status) == MPI_SUCCESS)
			errors += MPI_Mrecv(buffer, 10, MPI_CHAR, &message, MPI_STATUS_IGNORE) !=
				MPI_SUCCESS;
		if (way > 1)
			MPI_Irecv(buffer, 10, MPI_CHAR, 0, way, WORLD, &request[0]);
		request[1] = MPI_REQUEST_NULL;
		if (way == 2)
			errors += MPI_Wait(&request[0], MPI_STATUS_IGNORE) != MPI_SUCCESS;
		if (way == 3)
			errors += MPI_Waitall(2, request, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
		if (way == 4)
			errors += MPI_Waitany(2, request, &index, &status) != MPI_SUCCESS;
		if (way == 5)
			errors += MPI_Waitsome(2, request, &count, indices, MPI_STATUSES_IGNORE) !=
				MPI_SUCCESS;
		for (int failed = 0; way == 6 && !flag && !failed; errors += failed)
			failed = MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS;
		MPI_Recv(buffer, 10, MPI_CHAR, 0, way, WORLD, MPI_STATUS_IGNORE);
	}
	if (rank == 1 && errors != 7)
		printf("%d of 7 receives failed\n", errors);
	MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_ARE_FATAL);
}

static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{
	int world;
	(void)type;
	MPI_Comm_size(WORLD, &world); /* a call inside a call */
	for (int i = 0; i < *length; i++)
		((int *)inout)[i] += ((int *)in)[i];
}

static void operator(void)
{
	int sum = 0;
	MPI_Op op;
	MPI_Op_create(add, 1, &op);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, op, WORLD);
	if (sum != size * (size - 1) / 2)
		puts("wrong sum");
	MPI_Op_free(&op);
}

static void check_sum(const char *what, int got, int wanted)
{
	if (got != wanted)
		printf("%s: %d, not %d\n", what, got, wanted);
}

/* A window in all three ways of synchronization. */
static void memory(void)
{
	int *base, one = 1, seen = -1, before;
	MPI_Win win;
	MPI_Group world, neighbour;
	MPI_Request request;
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &base, &win);
	memset(base, 0, 4 * sizeof(int));
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	MPI_Put(&rank, 1, MPI_INT, other, 0, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	check_sum("fence", base[0], other);
	MPI_Comm_group(WORLD, &world);
	MPI_Group_incl(world, 1, &other, &neighbour);
	MPI_Win_post(neighbour, 0, win);
	MPI_Win_start(neighbour, 0, win);
	MPI_Accumulate(&one, 1, MPI_INT, other, 1, 1, MPI_INT, MPI_SUM, win);
	MPI_Win_complete(win);
	MPI_Win_wait(win);
	check_sum("post and start", base[1], 1);
	for (int i = 0; i < 3; i++) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
		MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 2, MPI_SUM, win);
		MPI_Win_unlock(0, win);
	}
	MPI_Barrier(WORLD);
	MPI_Win_lock_all(0, win);
	MPI_Rget(&seen, 1, MPI_INT, 0, 2, 1, MPI_INT, win, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Win_flush_all(win);
	MPI_Win_unlock_all(win);
	check_sum("locks", seen, 3 * size);
	MPI_Group_free(&neighbour);
	MPI_Group_free(&world);
	MPI_Win_free(&win);
}

static void file(void)
{
	int mine[2] = { rank, rank + 10 }, got[2] = { -1, -1 };
	MPI_File f;
	MPI_Request request;
	MPI_File_open(WORLD, "shared.data",
		      MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
		      &f);
	MPI_File_write_at_all(f, rank * (MPI_Offset)sizeof mine, mine, 2, MPI_INT,
			      MPI_STATUS_IGNORE);
	MPI_File_sync(f);
	MPI_Barrier(WORLD);
	MPI_File_iread_at(f, other * (MPI_Offset)sizeof mine, got, 2, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	check_sum("file", got[0] + got[1], 2 * other + 10);
	MPI_File_iwrite_at_all(f, rank * (MPI_Offset)sizeof mine, mine, 1, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_File_close(&f);
}

static MPI_Comm grid(int dimensions, const int *dims, const int *periods)
{
	MPI_Comm made;
	MPI_Cart_create(WORLD, dimensions, dims, periods, 0, &made);
	return made;
}

/* A graph: rank 0 sends to all others, and only the last rank sends to rank 0. So a rank may have
 * another number of sources than of destinations. */
static MPI_Comm star(void)
{
	int last = size - 1, zero = 0, others[8];
	MPI_Comm made;
	for (int i = 0; i < last; i++)
		others[i] = i + 1;
	MPI_Dist_graph_create_adjacent(WORLD, 1, rank ? &zero : &last, MPI_UNWEIGHTED,
				       rank == 0 ? last : rank == last, rank ? &zero : others,
				       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
	return made;
}

/* Collectives with neighbours. A neighbour beyond the border of a grid does not exist, but has its
 * place in the buffers. A new communicator gets the handle of a freed one with another topology. */
static void neighbours(void)
{
	int in[32] = { rank }, out[32] = { 0 }, dims[2] = { size, size }, open[2] = { 0, 0 },
	    round[2] = { 1, 0 };
	int low_high[2] = { 1, 3 }, high_low[2] = { 3, 1 }, places[8], up[8], one[1] = { 1 };
	MPI_Aint bytes[8];
	MPI_Datatype ints[8], back[1] = { MPI_DOUBLE };
	MPI_Request request;
	for (int i = 0; i < 8; i++) {
		places[i] = 4 * i;
		bytes[i] = 16 * i;
		up[i] = i + 1;
		ints[i] = MPI_INT;
	}
	MPI_Comm comm = grid(1, dims, open);
	MPI_Neighbor_allgather(in, 2, MPI_INT, out, 2, MPI_INT, comm);
	MPI_Neighbor_alltoallv(in, low_high, places, MPI_INT, out, high_low, places, MPI_INT, comm);
	MPI_Comm_free(&comm);
	comm = grid(1, dims, round);
	for (int i = 0; i < 3; i++)
		MPI_Neighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, comm);
	check_sum("ring", out[0] + out[1], (rank + 1) % size);
	MPI_Comm_free(&comm);
	dims[0] = 1;
	comm = grid(2, dims, round);
	MPI_Ineighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	check_sum("itself", out[0] + out[1], 2 * rank);
	MPI_Comm_free(&comm);
	comm = star();
	MPI_Neighbor_allgatherv(in, 1, MPI_INT, out, one, places, MPI_INT, comm);
	MPI_Ineighbor_alltoallw(in, rank ? one : up, bytes, rank ? back : ints, out,
				rank ? &rank : one, bytes, rank ? ints : back, comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
	MPI_Count two[8] = { 2, 2, 2, 2, 2, 2, 2, 2 };
	MPI_Aint far[8] = { 0, 2, 4, 6, 8, 10, 12, 14 };
	int index[8], edges[16];
	MPI_Neighbor_alltoallv_init(in, rank ? one : up, places, MPI_INT, out, rank ? &rank : one,
				    places, MPI_INT, comm, MPI_INFO_NULL, &request);
	for (int i = 0; i < 3; i++) {
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request);
	MPI_Comm_free(&comm);
	for (int i = 0; i < size; i++) {
		index[i] = size - 1 + i;
		edges[i] = (i + 1) % size;
		edges[size - 1 + i] = 0;
	}
	MPI_Graph_create(WORLD, size, index, edges, 0, &comm);
	MPI_Neighbor_alltoallv_c(in, two, far, MPI_CHAR, out, two, far, MPI_CHAR, comm);
#endif
	MPI_Comm_free(&comm);
}

/* Receives that are given up: of one the message has come, the other two are cancelled. */
static void given_up(void)
{
	MPI_Request request[3];
	if (rank == 0) {
		MPI_Send(buffer, 5, MPI_CHAR, other, 5, WORLD);
		MPI_Barrier(WORLD);
		MPI_Send(buffer, 6, MPI_CHAR, other, 6, WORLD);
		return;
	}
	MPI_Irecv(buffer, 16, MPI_CHAR, other, 5, WORLD, &request[0]);
	MPI_Irecv(buffer + 16, 16, MPI_CHAR, other, 6, WORLD, &request[1]);
	MPI_Recv_init(buffer + 32, 16, MPI_CHAR, MPI_ANY_SOURCE, 6, WORLD, &request[2]);
	MPI_Start(&request[2]);
	for (int i = 0; i < 3; i++) {
		if (i)
			MPI_Cancel(&request[i]);
		MPI_Request_free(&request[i]);
	}
	MPI_Barrier(WORLD);
	MPI_Recv(buffer, 16, MPI_CHAR, MPI_ANY_SOURCE, 6, WORLD, MPI_STATUS_IGNORE);
}

static void partitioned(void)
{
#if MPI_VERSION >= 4
	int part[8] = { 0 }, arrived = 0;
	MPI_Request request;
	if (rank % 2 == 0)
		MPI_Psend_init(part, 4, 2, MPI_INT, other, 5, WORLD, MPI_INFO_NULL, &request);
	else
		MPI_Precv_init(part, 4, 2, MPI_INT, other, 5, WORLD, MPI_INFO_NULL, &request);
	for (int round = 0; round < 2; round++) {
		MPI_Start(&request);
		for (int i = 0; i < 4 && rank % 2 == 0; i++) {
			part[2 * i] = part[2 * i + 1] = i + round;
			MPI_Pready(i, request);
		}
		while (rank % 2 && !arrived)
			MPI_Parrived(request, 3, &arrived);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		check_sum("last part", part[7], 3 + round);
		arrived = 0;
	}
	MPI_Request_free(&request);
#endif
}

static void aborted(void)
{
	struct timespec ten = { 10, 0 };
	if (rank == 1)
		MPI_Abort(WORLD, 7);
	nanosleep(&ten, NULL);
}

static const struct { const char *name; void (*run)(void);
} cases[] = { { "pingpong", pingpong }, { "various", various }, { "waitall", waitall },
	      { "completion", completion }, { "persistent", persistent }, { "probed", probed },
	      { "none", none }, { "collectives", collectives }, { "begun", begun },
	      { "neighbours", neighbours }, { "communicators", communicators },
	      { "threads", threads }, { "muted", muted }, { "errors", errors }, { "cut", cut },
	      {
		      "operator",
		      operator},
		      { "aborted", aborted },
		      { "memory", memory },
		      { "file", file },
		      { "partitioned", partitioned },
		      { "given_up", given_up },
};

/* The pingpong and the barriers are measured, and match only if nothing of the case is left. */
static void run_off(void (*run)(void))
{
	MPI_Barrier(WORLD);
	MPI_Pcontrol(0);
	run();
	MPI_Pcontrol(1);
	MPI_Barrier(WORLD);
	if (rank < 2) {
		pingpong();
		waitall();
	}
}

int main(int argc, char **argv)
{
	int provided;
	if (argc < 2 || !strcmp(argv[1], "noinit")) {
		puts("done");
		return 3;
	}
	int level = strcmp(argv[1], "threads") ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE;
	MPI_Init_thread(&argc, &argv, level, &provided);
	MPI_Comm_rank(WORLD, &rank);
	MPI_Comm_size(WORLD, &size);
	other = rank ^ 1;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (!strcmp(argv[1], cases[i].name))
			argc > 2 ? run_off(cases[i].run) : cases[i].run();
	if (rank == 0)
		puts("done");
	if (!strcmp(argv[1], "nofinalize"))
		exit(0);
	MPI_Finalize();
	if (!strcmp(argv[1], "leaves"))
		_exit(0);
	return 0;
}
