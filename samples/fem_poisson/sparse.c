/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse.c - a sparse matrix in compressed rows: its pattern, from the mesh, and products. */
#include <stdio.h>
#include <stdlib.h>

#include "fem_poisson.h"

/* An edge inside belongs to two elements; the one with the smaller number counts it. */
static bool edge_is_mine(const int *element_neighbor, int e, int k)
{
	int neighbor = element_neighbor[3 * e + k];
	return neighbor < 0 || e < neighbor;
}

int sparse_rows(int element_num, const int *element_node, const int *element_neighbor,
	int node_num, int *ia)
{
	for (int i = 0; i <= node_num; i++)
		ia[i] = 0;
	for (int i = 0; i < node_num; i++)
		ia[i + 1] = 1; /* the diagonal */
	for (int e = 0; e < element_num; e++)
		for (int k = 0; k < 3; k++)
			if (edge_is_mine(element_neighbor, e, k)) {
				ia[element_node[3 * e + k] + 1]++;
				ia[element_node[3 * e + (k + 1) % 3] + 1]++;
			}
	for (int i = 0; i < node_num; i++)
		ia[i + 1] += ia[i];
	return ia[node_num];
}

static int compare_int(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

void sparse_columns(int element_num, const int *element_node, const int *element_neighbor,
	int node_num, const int *ia, int *ja)
{
	int *next = malloc((size_t)node_num * sizeof *next);
	if (!next)
		exit(1);
	for (int i = 0; i < node_num; i++) {
		next[i] = ia[i];
		ja[next[i]++] = i;
	}
	for (int e = 0; e < element_num; e++)
		for (int k = 0; k < 3; k++)
			if (edge_is_mine(element_neighbor, e, k)) {
				int from = element_node[3 * e + k];
				int to = element_node[3 * e + (k + 1) % 3];
				ja[next[from]++] = to;
				ja[next[to]++] = from;
			}
	for (int i = 0; i < node_num; i++)
		qsort(&ja[ia[i]], (size_t)(ia[i + 1] - ia[i]), sizeof *ja, compare_int);
	free(next);
}

int sparse_find(const int *ia, const int *ja, int row, int column)
{
	int low = ia[row], high = ia[row + 1] - 1;
	while (low <= high) {
		int middle = (low + high) / 2;
		if (ja[middle] == column)
			return middle;
		if (ja[middle] < column)
			low = middle + 1;
		else
			high = middle - 1;
	}
	return -1;
}

void sparse_multiply(int n, const int *ia, const int *ja, const double *a, const double *x,
	double *y)
{
	for (int i = 0; i < n; i++) {
		double sum = 0;
		for (int k = ia[i]; k < ia[i + 1]; k++)
			sum += a[k] * x[ja[k]];
		y[i] = sum;
	}
}

void sparse_check(const int *ia, const int *ja, int n)
{
	for (int i = 0; i < n; i++)
		if (sparse_find(ia, ja, i, i) < 0) {
			fprintf(stderr, "fem_poisson: row %d has no diagonal\n", i);
			exit(1);
		}
}
