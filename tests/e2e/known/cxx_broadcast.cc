/* Rank 0 reads its input alone, in the constructor of an object, before a broadcast. */
/* run: 2 1 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 1 0 OLOSS_UNPAR 0.3 */
/* culprit: 0 0 OLOSS_UNPAR 0.3 Input::Input */
/* advice: UNPAR_PROCESS MPI_Bcast */
/* run: 4 1 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 1-3 0 OLOSS_UNPAR 0.3 */
/* culprit: 0 0 OLOSS_UNPAR 0.9 Input::Input */
/* advice: UNPAR_PROCESS MPI_Bcast */
#include <mpi.h>
#include "known.h"

struct Input {
	int value = 3;
	Input() { work(0.3); }
};

class Session
{
public:
	Session(int *argc, char ***argv)
	{
		MPI_Init(argc, argv);
		MPI_Comm_rank(MPI_COMM_WORLD, &rank);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	~Session() { MPI_Finalize(); }
	int share()
	{
		int value = 0;
		if (rank == 0)
			value = Input().value;
		MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
		MPI_Barrier(MPI_COMM_WORLD);
		return value;
	}

private:
	int rank;
};

int main(int argc, char **argv) { return Session(&argc, &argv).share() - 3; }
