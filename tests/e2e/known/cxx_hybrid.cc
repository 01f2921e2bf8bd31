/* Uneven threads in a method, then uneven initial threads before a reduction in another one. */
/* build: -fopenmp */
/* run: 2 2 */
/* truth: 0-1 0 OSYNC_IBAR 0.1 */
/* truth: 0 1 OLOSS_UNPAR 0.1 */
/* truth: 0 0-1 OSYNC_NXN 0.2 */
/* truth: 1 1 OLOSS_UNPAR 0.3 */
/* truth: 0 0 USEFUL 0.2 */
/* truth: 1 0 USEFUL 0.4 */
/* truth: 0-1 1 USEFUL 0.2 */
/* culprit: * 1 OSYNC_IBAR 0.2 Domain::compute */
/* culprit: 1 0 OSYNC_NXN 0.4 Domain::finish */
/* advice: PROCESSES_UNEVEN Domain::sum<int> */
/* advice: UNPAR_SERIAL work */
/* advice: TEAM_UNEVEN omp parallel */
#include <mpi.h>
#include <omp.h>
#include "known.h"

class Domain
{
public:
	explicit Domain(int of) : rank(of) {}
	void compute()
	{
#pragma omp parallel
		work(0.1 * (omp_get_thread_num() + 1));
	}
	void finish() { work(0.1 + 0.2 * rank); }
	template <typename T> T sum(T one) const
	{
		T all;
		MPI_Allreduce(&one, &all, sizeof one, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
		return all;
	}

private:
	int rank;
};

int main(int argc, char **argv)
{
	int rank, given;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	Domain domain(rank);
	domain.compute();
	domain.finish();
	int all = domain.sum(1);
	MPI_Finalize();
	return all - 1;
}
