/* abi_stub.c - an MPI library with the binary interface of MPI 5.0, for one process. It has what
 * abi.sh needs, and what the wrappers call. A message is kept until it is received. It says on
 * standard error if it is not given the addresses for which MPI has names.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* MPI_X and PMPI_X */
#define ROUTINE(name, parameters) \
	int P##name parameters; \
	int name parameters __attribute__((weak, alias("P" #name))); \
	int P##name parameters

static struct message { int tag, bytes; char data[64]; } kept[8];
static int used;
static struct MPI_ABI_Request { void *data; int room, tag; } waiting;
static const MPI_Request sent = (MPI_Request)0x1234;

static int size_of(MPI_Datatype type) { return type == MPI_INT ? 4 : type == MPI_DOUBLE ? 8 : 1; }

ROUTINE(MPI_Init, (int *argc, char ***argv)) { return argc && argv ? 0 : 1; }
ROUTINE(MPI_Finalize, (void)) { return 0; }
ROUTINE(MPI_Query_thread, (int *provided)) { return *provided = MPI_THREAD_SINGLE, 0; }
ROUTINE(MPI_Comm_rank, (MPI_Comm comm, int *rank)) { return *rank = 0, comm != MPI_COMM_WORLD; }
ROUTINE(MPI_Comm_size, (MPI_Comm comm, int *size)) { return *size = 1, comm != MPI_COMM_WORLD; }
ROUTINE(MPI_Comm_test_inter, (MPI_Comm comm, int *flag)) { return *flag = 0, !comm; }
ROUTINE(MPI_Comm_group, (MPI_Comm comm, MPI_Group *group))
{
	return *group = MPI_GROUP_EMPTY, !comm;
}
ROUTINE(MPI_Group_size, (MPI_Group group, int *size)) { return *size = 1, !group; }
ROUTINE(MPI_Group_free, (MPI_Group *group)) { return *group = MPI_GROUP_NULL, 0; }
ROUTINE(MPI_Group_translate_ranks, (MPI_Group from, int n, const int ranks[], MPI_Group to,
				    int found[]))
{
	memcpy(found, ranks, n * sizeof *ranks);
	return !from || !to;
}
ROUTINE(MPI_Type_size, (MPI_Datatype type, int *size)) { return *size = size_of(type), 0; }
ROUTINE(MPI_Get_count, (const MPI_Status *status, MPI_Datatype type, int *count))
{
	*count = status->MPI_internal[0] / size_of(type);
	return 0;
}

ROUTINE(MPI_Send, (const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm))
{
	struct message *message = &kept[used++];
	message->tag = tag;
	message->bytes = count * size_of(type);
	memcpy(message->data, data, message->bytes);
	return to != 0 || comm != MPI_COMM_WORLD;
}

static int receive(void *data, int room, int tag, MPI_Status *status)
{
	for (int i = 0; i < used; i++)
		if (tag == MPI_ANY_TAG || kept[i].tag == tag) {
			memcpy(data, kept[i].data, kept[i].bytes < room ? kept[i].bytes : room);
			if (status != MPI_STATUS_IGNORE)
				*status = (MPI_Status){ .MPI_SOURCE = 0, .MPI_TAG = kept[i].tag,
							.MPI_internal = { kept[i].bytes } };
			memmove(&kept[i], &kept[i + 1], (--used - i) * sizeof *kept);
			return MPI_SUCCESS;
		}
	return MPI_ERR_OTHER;
}

ROUTINE(MPI_Recv, (void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
		   MPI_Status *status))
{
	if (from != MPI_ANY_SOURCE || comm != MPI_COMM_WORLD)
		return MPI_ERR_ARG;
	return receive(data, count * size_of(type), tag, status);
}
ROUTINE(MPI_Isend, (const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
		    MPI_Request *request))
{
	*request = sent;
	return PMPI_Send(data, count, type, to, tag, comm);
}
ROUTINE(MPI_Irecv, (void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
		    MPI_Request *request))
{
	waiting = (struct MPI_ABI_Request){ data, count * size_of(type), tag };
	*request = &waiting;
	return from != 0 || comm != MPI_COMM_WORLD;
}
ROUTINE(MPI_Waitall, (int count, MPI_Request requests[], MPI_Status *statuses))
{
	for (int i = 0; i < count; i++) {
		MPI_Status *status = statuses == MPI_STATUSES_IGNORE ? NULL : &statuses[i];
		if (requests[i] == &waiting)
			receive(waiting.data, waiting.room, waiting.tag, status);
		requests[i] = MPI_REQUEST_NULL;
	}
	return MPI_SUCCESS;
}
ROUTINE(MPI_Allreduce, (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
			MPI_Comm comm))
{
	if (from != MPI_IN_PLACE)
		fprintf(stderr, "no MPI_IN_PLACE\n");
	usleep(300000);
	return !to || !count || type != MPI_INT || op != MPI_SUM || comm != MPI_COMM_WORLD;
}
double PMPI_Wtime(void);
double MPI_Wtime(void) __attribute__((weak, alias("PMPI_Wtime")));
double PMPI_Wtime(void) { return 0; }
