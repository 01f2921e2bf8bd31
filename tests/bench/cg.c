/* cg.c - a kernel in the manner of NAS CG: the smallest eigenvalue of a sparse symmetric matrix by
 * inverse iteration, each step solved with conjugate gradients. Rows are divided among processes,
 * the rows of each among threads; every product needs the whole vector (MPI_Allgather), every
 * scalar product a sum over all (MPI_Allreduce).
 *
 *     cg ROWS STEPS     prints the eigenvalue's shift, the same however many processes there are,
 *                       up to rounding
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { IN_ROW = 12, ITERATIONS = 25 };

static int rows, mine, first; /* of the matrix; of this process, from `first` on */
static int *column;           /* IN_ROW of each row */
static double *value, *whole; /* whole: the vector that is multiplied, of all processes */

/* Symmetric without being stored twice: row i has the columns i + d and i - d of some distances d,
 * with one value each. */
static void make_matrix(void)
{
	for (int r = 0; r < mine; r++) {
		int i = first + r;
		for (int k = 0; k < IN_ROW; k++) {
			long distance = 1 + (long)(k / 2) * (k / 2) * 97L;
			column[r * IN_ROW + k] =
				(int)((k % 2 ? i + distance : i - distance + 8L * rows) % rows);
			value[r * IN_ROW + k] = -1.0 / (1 + k / 2);
		}
	}
}

static void multiply(const double *x, double *y)
{
	MPI_Allgather(x, mine, MPI_DOUBLE, whole, mine, MPI_DOUBLE, MPI_COMM_WORLD);
#pragma omp parallel for schedule(static)
	for (int r = 0; r < mine; r++) {
		double sum = 6.0 * whole[first + r];
		for (int k = 0; k < IN_ROW; k++)
			sum += value[r * IN_ROW + k] * whole[column[r * IN_ROW + k]];
		y[r] = sum;
	}
}

static double product(const double *x, const double *y)
{
	double sum = 0, all;
#pragma omp parallel for reduction(+ : sum) schedule(static)
	for (int r = 0; r < mine; r++)
		sum += x[r] * y[r];
	MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

/* y = a x + b y */
static void combine(double a, const double *x, double b, double *y)
{
#pragma omp parallel for schedule(static)
	for (int r = 0; r < mine; r++)
		y[r] = a * x[r] + b * y[r];
}

static void solve(const double *b, double *x, double *r, double *p, double *q)
{
	double rho, before;
	combine(0, b, 0, x);
	combine(1, b, 0, r);
	combine(1, b, 0, p);
	rho = product(r, r);
	for (int i = 0; i < ITERATIONS; i++) {
		multiply(p, q);
		double alpha = rho / product(p, q);
		combine(alpha, p, 1, x);
		combine(-alpha, q, 1, r);
		before = rho;
		rho = product(r, r);
		combine(1, r, rho / before, p);
	}
}

int main(int argc, char **argv)
{
	int size, rank, steps = argc > 2 ? atoi(argv[2]) : 5;
	double zeta = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	mine = (argc > 1 ? atoi(argv[1]) : 1000) / size;
	rows = mine * size;
	first = mine * rank;
	column = malloc((size_t)mine * IN_ROW * sizeof *column);
	value = malloc((size_t)mine * IN_ROW * sizeof *value);
	whole = malloc((size_t)rows * sizeof *whole);
	double *vector[5];
	for (int i = 0; i < 5; i++)
		vector[i] = calloc((size_t)mine, sizeof *vector[i]);
	make_matrix();
	for (int r = 0; r < mine; r++)
		vector[0][r] = 1 + (first + r) % 7;
	for (int step = 0; step < steps; step++) {
		solve(vector[0], vector[1], vector[2], vector[3], vector[4]);
		zeta = 1 / product(vector[0], vector[1]);
		combine(1 / sqrt(product(vector[1], vector[1])), vector[1], 0, vector[0]);
	}
	if (rank == 0)
		printf("zeta %.8f\n", zeta);
	MPI_Finalize();
	return 0;
}
