/* timing.c - many short calls, so that most are not timed with SIS_TIMING=1/N. */
#include <mpi.h>
#include <stdio.h>
static volatile double sink;
__attribute__((noinline)) static double small(double x)
{
	double s = x;
	for (int i = 0; i < 20; i++)
		s = s * 0.5 + i;
	for (int i = 0; i < 3; i++)
		s -= i;
	return s;
}
__attribute__((noinline)) static void middle(int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += small(i);
	sink = s;
}
static int recurse(int n)
{
	middle(3);
	return n > 0 ? 1 + recurse(n - 1) : 0;
}
int main(int argc, char **argv)
{
	double one = 1, all;
	int sum = 0;
	MPI_Init(&argc, &argv);
	for (int i = 0; i < 200; i++) {
#pragma omp parallel reduction(+ : sum)
		{
			middle(500);
#pragma omp critical
			sum += recurse(10);
		}
		MPI_Allreduce(&one, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	printf("%d %g\n", sum, all);
	MPI_Finalize();
	return 0;
}
