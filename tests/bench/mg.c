/* mg.c - a kernel in the manner of NAS MG: V-cycles of a multigrid solver for Poisson's equation in
 * a periodic cube, threads only. The coarse grids have little work for a parallel loop: what a
 * construct costs shows.
 *
 *     mg LEVELS CYCLES     the finest grid has 2^LEVELS points along a side; prints the residual's
 *                          norm
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 10 };
static void *u[MOST], *f[MOST], *r[MOST]; /* by level: n x n x n doubles, n = 2^level */

static void residual(int level)
{
	int n = 1 << level, last = n - 1;
	double(*x)[n][n] = u[level], (*b)[n][n] = f[level], (*out)[n][n] = r[level];
#pragma omp parallel for schedule(static)
	for (int i = 0; i < n; i++) {
		int above = (i - 1) & last, below = (i + 1) & last;
		for (int j = 0; j < n; j++) {
			int before = (j - 1) & last, after = (j + 1) & last;
			for (int k = 0; k < n; k++)
				out[i][j][k] = b[i][j][k] - 6 * x[i][j][k] + x[above][j][k] +
					x[below][j][k] + x[i][before][k] + x[i][after][k] +
					x[i][j][(k - 1) & last] + x[i][j][(k + 1) & last];
		}
	}
}

/* A damped Jacobi step. */
static void smooth(int level)
{
	int n = 1 << level;
	double(*x)[n][n] = u[level], (*rest)[n][n] = r[level];
	residual(level);
#pragma omp parallel for schedule(static)
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			for (int k = 0; k < n; k++)
				x[i][j][k] += 0.8 / 6 * rest[i][j][k];
}

/* What the next coarser grid has to solve: the mean of the 27 residuals around a point, those
 * further away with half the weight for each direction. */
static void coarsen(int level)
{
	int n = 1 << level, m = n / 2;
	double(*rest)[n][n] = r[level], (*x)[m][m] = u[level - 1], (*b)[m][m] = f[level - 1];
	residual(level);
#pragma omp parallel for schedule(static)
	for (int i = 0; i < m; i++)
		for (int j = 0; j < m; j++)
			for (int k = 0; k < m; k++) {
				double sum = 0;
				for (int c = 0; c < 27; c++) {
					int di = c / 9 - 1, dj = c / 3 % 3 - 1, dk = c % 3 - 1;
					sum += rest[(2 * i + di) & (n - 1)][(2 * j + dj) & (n - 1)]
						   [(2 * k + dk) & (n - 1)] /
						(double)(2 << (di * di + dj * dj + dk * dk));
				}
				b[i][j][k] = sum;
				x[i][j][k] = 0;
			}
}

/* Each point takes the mean of the eight around it, of which those of even places are the same. */
static void refine(int level)
{
	int n = 1 << level, m = n / 2, last = m - 1;
	double(*fine)[n][n] = u[level], (*x)[m][m] = u[level - 1];
#pragma omp parallel for schedule(static)
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			for (int k = 0; k < n; k++) {
				double sum = 0;
				for (int c = 0; c < 8; c++)
					sum += x[(i + (c & 1)) / 2 & last]
						[(j + (c >> 1 & 1)) / 2 & last]
						[(k + (c >> 2)) / 2 & last];
				fine[i][j][k] += sum / 8;
			}
}

static void cycle(int level)
{
	smooth(level);
	if (level > 1) {
		coarsen(level);
		cycle(level - 1);
		refine(level);
	}
	smooth(level);
}

static double norm(int level)
{
	double sum = 0, *rest = r[level];
	size_t points = (size_t)1 << 3 * level;
	residual(level);
#pragma omp parallel for reduction(+ : sum) schedule(static)
	for (size_t i = 0; i < points; i++)
		sum += rest[i] * rest[i];
	return sqrt(sum / (double)points);
}

int main(int argc, char **argv)
{
	int levels = argc > 1 ? atoi(argv[1]) : 4, cycles = argc > 2 ? atoi(argv[2]) : 4;
	if (levels < 1 || levels >= MOST)
		return 2;
	for (int l = 1; l <= levels; l++) {
		size_t points = (size_t)1 << 3 * l;
		u[l] = calloc(points, sizeof(double));
		f[l] = calloc(points, sizeof(double));
		r[l] = calloc(points, sizeof(double));
	}
	double *charge = f[levels];
	for (size_t i = 0; i < 20; i++) /* ten of each sign */
		charge[i * i * 7919 % ((size_t)1 << 3 * levels)] += i % 2 ? 1 : -1;
	for (int i = 0; i < cycles; i++)
		cycle(levels);
	printf("residual %.6e\n", norm(levels));
	return 0;
}
