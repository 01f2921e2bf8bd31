/* Rank 1 waits for a message that rank 0 sends late, through a template around a communicator. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 1 0 OSYNC_LATESEND 0.3 */
/* culprit: 0 0 OSYNC_LATESEND 0.3 Source::prepare */
/* advice: SENDER_LATE Channel<int>::receive */
#include <mpi.h>
#include "known.h"

template <typename T> class Channel
{
public:
	explicit Channel(MPI_Comm of) { MPI_Comm_dup(of, &comm); }
	~Channel() { MPI_Comm_free(&comm); }
	void send(const T &item, int to) { MPI_Send(&item, sizeof item, MPI_BYTE, to, 5, comm); }
	T receive(int from)
	{
		T item;
		MPI_Recv(&item, sizeof item, MPI_BYTE, from, 5, comm, MPI_STATUS_IGNORE);
		return item;
	}

private:
	MPI_Comm comm;
};

struct Source {
	int prepare()
	{
		work(0.3);
		return 1;
	}
};

int main(int argc, char **argv)
{
	int rank, value = 1;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	{
		Channel<int> channel(MPI_COMM_WORLD);
		if (rank == 0)
			channel.send(Source().prepare(), 1);
		else
			value = channel.receive(0);
	}
	MPI_Finalize();
	return value - 1;
}
