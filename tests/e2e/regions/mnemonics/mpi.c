/* mpi.c - every kind of call of MPI that has a mnemonic, at least once; for one process or more. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size;

static void messages(void)
{
	int out = rank, in = 0, flag = 0, to = (rank + 1) % size, from = (rank + size - 1) % size;
	MPI_Request request[2];
	MPI_Status status;
	MPI_Irecv(&in, 1, MPI_INT, from, 1, MPI_COMM_WORLD, &request[0]);
	MPI_Isend(&out, 1, MPI_INT, to, 1, MPI_COMM_WORLD, &request[1]);
	MPI_Wait(&request[0], &status);
	while (!flag)
		MPI_Test(&request[1], &flag, &status);
	MPI_Isend(&out, 1, MPI_INT, to, 2, MPI_COMM_WORLD, &request[0]);
	MPI_Probe(from, 2, MPI_COMM_WORLD, &status);
	MPI_Recv(&in, 1, MPI_INT, from, 2, MPI_COMM_WORLD, &status);
	MPI_Wait(&request[0], &status);
	MPI_Irecv(&in, 1, MPI_INT, from, 3, MPI_COMM_WORLD, &request[0]);
	MPI_Send(&out, 1, MPI_INT, to, 3, MPI_COMM_WORLD);
	MPI_Wait(&request[0], &status);
	MPI_Sendrecv(&out, 1, MPI_INT, to, 4, &in, 1, MPI_INT, from, 4, MPI_COMM_WORLD, &status);
	MPI_Recv_init(&in, 1, MPI_INT, from, 5, MPI_COMM_WORLD, &request[0]);
	MPI_Send_init(&out, 1, MPI_INT, to, 5, MPI_COMM_WORLD, &request[1]);
	MPI_Startall(2, request);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	MPI_Request_free(&request[0]);
	MPI_Request_free(&request[1]);
	MPI_Precv_init(&in, 1, 1, MPI_INT, from, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
	MPI_Psend_init(&out, 1, 1, MPI_INT, to, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
	MPI_Startall(2, request);
	MPI_Pready(0, request[1]);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	MPI_Request_free(&request[0]);
	MPI_Request_free(&request[1]);
}

static void collectives(void)
{
	int one = 1, all[64], periods = 1;
	MPI_Comm ring;
	memset(all, 0, sizeof all);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Reduce(&one, all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Allreduce(&one, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Scan(&one, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Scatter(all, 1, MPI_INT, &one, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
	MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
	MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods, 0, &ring);
	MPI_Neighbor_allgather(&one, 1, MPI_INT, all, 1, MPI_INT, ring);
	MPI_Comm_free(&ring);
}

static void windows(void)
{
	int *shared, one = 1;
	MPI_Win window;
	MPI_Win_allocate(sizeof *shared, sizeof *shared, MPI_INFO_NULL, MPI_COMM_WORLD, &shared,
			 &window);
	MPI_Win_fence(0, window);
	MPI_Put(&one, 1, MPI_INT, rank, 0, 1, MPI_INT, window);
	MPI_Win_fence(0, window);
	MPI_Get(&one, 1, MPI_INT, rank, 0, 1, MPI_INT, window);
	MPI_Win_fence(0, window);
	MPI_Accumulate(&one, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_SUM, window);
	MPI_Win_fence(0, window);
	MPI_Win_free(&window);
}

static void files(void)
{
	int value = rank;
	MPI_File file;
	MPI_Datatype pair;
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	MPI_Type_free(&pair);
	MPI_File_open(MPI_COMM_WORLD, "mnemonics.dat",
		      MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
		      &file);
	MPI_File_write_at(file, rank * sizeof value, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_read_at(file, rank * sizeof value, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	messages();
	collectives();
	windows();
	files();
	MPI_Finalize();
	return rank < 0;
}
