/* SPDX-License-Identifier: BSD-3-Clause */
/* fem_poisson.c - assembles and solves Poisson's equation on the unit square.
 *
 *      fem_poisson [NODES]     nodes along one side; 250 when nothing is said
 *
 * main has one variable for each step, so that the time of the steps can be read from the blame of
 * the variables: the mesh (element_neighbor, node_boundary), the pattern of the matrix (ia, ja),
 * its entries (a) and the right hand side (f), and the solution (node_u). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fem_poisson.h"

#define POINTS 3 /* of the rule for one direction; a triangle has POINTS * POINTS */

/* Gauss's rule for the interval from 0 to 1. */
static const double gauss_x[POINTS] = { 0.1127016653792583, 0.5, 0.8872983346207417 };
static const double gauss_w[POINTS] = { 0.2777777777777778, 0.4444444444444444,
	0.2777777777777778 };

struct triangle {
	int node[3];
	double x[3], y[3];
	double area;
};

static double exact(double x, double y) { return sin(M_PI * x) * sin(M_PI * y) + x; }
static double right_side(double x, double y)
{
	return 2 * M_PI * M_PI * sin(M_PI * x) * sin(M_PI * y);
}

static void *allocate(size_t count, size_t size)
{
	void *p = calloc(count, size);
	if (!p) {
		fprintf(stderr, "fem_poisson: no memory\n");
		exit(1);
	}
	return p;
}

static void triangle_load(struct triangle *t, const double *node_xy, const int *element_node, int e)
{
	for (int k = 0; k < 3; k++) {
		t->node[k] = element_node[3 * e + k];
		t->x[k] = node_xy[2 * t->node[k]];
		t->y[k] = node_xy[2 * t->node[k] + 1];
	}
	t->area = 0.5 * ((t->x[1] - t->x[0]) * (t->y[2] - t->y[0]) -
		(t->x[2] - t->x[0]) * (t->y[1] - t->y[0]));
}

/* Point p of the rule: its barycentric coordinates and its weight. */
static double triangle_point(const struct triangle *t, int p, double b[3])
{
	double u = gauss_x[p / POINTS], v = gauss_x[p % POINTS] * (1 - u);
	b[0] = 1 - u - v;
	b[1] = u;
	b[2] = v;
	return 2 * t->area * gauss_w[p / POINTS] * gauss_w[p % POINTS] * (1 - u);
}

/* The derivative of basis function k, which is constant in a triangle. */
static void triangle_slope(const struct triangle *t, int k, double slope[2])
{
	int i = (k + 1) % 3, j = (k + 2) % 3;
	slope[0] = (t->y[i] - t->y[j]) / (2 * t->area);
	slope[1] = (t->x[j] - t->x[i]) / (2 * t->area);
}

static void assemble_matrix(int element_num, const double *node_xy, const int *element_node,
	const int *ia, const int *ja, double *a)
{
	for (int e = 0; e < element_num; e++) {
		struct triangle t;
		triangle_load(&t, node_xy, element_node, e);
		for (int p = 0; p < POINTS * POINTS; p++) {
			double b[3], w = triangle_point(&t, p, b);
			for (int row = 0; row < 3; row++) {
				double test[2];
				triangle_slope(&t, row, test);
				for (int column = 0; column < 3; column++) {
					double slope[2];
					triangle_slope(&t, column, slope);
					a[sparse_find(ia, ja, t.node[row], t.node[column])] +=
						w * (test[0] * slope[0] + test[1] * slope[1]);
				}
			}
		}
	}
}

static void assemble_right_side(int element_num, const double *node_xy, const int *element_node,
	double *f)
{
	for (int e = 0; e < element_num; e++) {
		struct triangle t;
		triangle_load(&t, node_xy, element_node, e);
		for (int p = 0; p < POINTS * POINTS; p++) {
			double b[3], w = triangle_point(&t, p, b), x = 0, y = 0;
			for (int k = 0; k < 3; k++) {
				x += b[k] * t.x[k];
				y += b[k] * t.y[k];
			}
			for (int k = 0; k < 3; k++)
				f[t.node[k]] += w * right_side(x, y) * b[k];
		}
	}
}

/* Rows of boundary nodes say: the solution there is known. Their columns go to the right side, so
 * that the matrix stays symmetric. */
static void boundary_apply(int node_num, const double *node_xy, const bool *node_boundary,
	const int *ia, const int *ja, double *a, double *f)
{
	for (int i = 0; i < node_num; i++)
		for (int k = ia[i]; k < ia[i + 1]; k++) {
			int j = ja[k];
			if (node_boundary[i])
				a[k] = i == j;
			else if (node_boundary[j]) {
				f[i] -= a[k] * exact(node_xy[2 * j], node_xy[2 * j + 1]);
				a[k] = 0;
			}
		}
	for (int i = 0; i < node_num; i++)
		if (node_boundary[i])
			f[i] = exact(node_xy[2 * i], node_xy[2 * i + 1]);
}

static double dot(int n, const double *x, const double *y)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

/* Conjugate gradients. */
static void solve(int n, const int *ia, const int *ja, const double *a, const double *f, double *u)
{
	double *r = allocate((size_t)n, sizeof *r), *p = allocate((size_t)n, sizeof *p);
	double *q = allocate((size_t)n, sizeof *q);
	for (int i = 0; i < n; i++) {
		u[i] = 0;
		r[i] = p[i] = f[i];
	}
	double rr = dot(n, r, r), limit = 1e-20 * rr;
	for (int step = 0; rr > limit && step < 10 * n; step++) {
		sparse_multiply(n, ia, ja, a, p, q);
		double alpha = rr / dot(n, p, q), old = rr;
		for (int i = 0; i < n; i++) {
			u[i] += alpha * p[i];
			r[i] -= alpha * q[i];
		}
		rr = dot(n, r, r);
		for (int i = 0; i < n; i++)
			p[i] = r[i] + rr / old * p[i];
	}
	free(r);
	free(p);
	free(q);
}

static double largest_error(int node_num, const double *node_xy, const double *node_u)
{
	double largest = 0;
	for (int i = 0; i < node_num; i++) {
		double error = fabs(node_u[i] - exact(node_xy[2 * i], node_xy[2 * i + 1]));
		largest = error > largest ? error : largest;
	}
	return largest;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 250;
	if (n < 3 || n > 5000) {
		fprintf(stderr, "usage: fem_poisson [NODES]; 3 to 5000 along one side\n");
		return 2;
	}
	int node_num = n * n, element_num = 2 * (n - 1) * (n - 1);

	double *node_xy = allocate(2 * (size_t)node_num, sizeof *node_xy);
	mesh_nodes(n, node_xy);
	int *element_node = allocate(3 * (size_t)element_num, sizeof *element_node);
	mesh_elements(n, element_node);
	int *element_neighbor = allocate(3 * (size_t)element_num, sizeof *element_neighbor);
	mesh_neighbors(element_num, element_node, element_neighbor);
	bool *node_boundary = allocate((size_t)node_num, sizeof *node_boundary);
	mesh_boundary(element_num, element_node, node_num, node_boundary);

	int *ia = allocate((size_t)node_num + 1, sizeof *ia);
	int nonzeros = sparse_rows(element_num, element_node, element_neighbor, node_num, ia);
	int *ja = allocate((size_t)nonzeros, sizeof *ja);
	sparse_columns(element_num, element_node, element_neighbor, node_num, ia, ja);
	sparse_check(ia, ja, node_num);

	double *a = allocate((size_t)nonzeros, sizeof *a);
	assemble_matrix(element_num, node_xy, element_node, ia, ja, a);
	double *f = allocate((size_t)node_num, sizeof *f);
	assemble_right_side(element_num, node_xy, element_node, f);
	boundary_apply(node_num, node_xy, node_boundary, ia, ja, a, f);

	double *node_u = allocate((size_t)node_num, sizeof *node_u);
	solve(node_num, ia, ja, a, f, node_u);
	printf("%d nodes, %d elements, %d nonzeros\n", node_num, element_num, nonzeros);
	printf("largest error %.3e\n", largest_error(node_num, node_xy, node_u));

	free(node_xy);
	free(element_node);
	free(element_neighbor);
	free(node_boundary);
	free(ia);
	free(ja);
	free(a);
	free(f);
	free(node_u);
	return 0;
}
