/* SPDX-License-Identifier: BSD-3-Clause */
/* fem_poisson.h - Poisson's equation on the unit square with linear finite elements on triangles.
 *
 *      -div(grad u) = f,  u is known on the boundary
 *
 * mesh.c makes the triangles and finds neighbours and boundary, sparse.c keeps the matrix in
 * compressed rows, and fem_poisson.c assembles and solves the system. */
#ifndef FEM_POISSON_H
#define FEM_POISSON_H

#include <stdbool.h>

/* The nodes of element e are element_node[3 * e ...]. Its edge k goes from node k to k + 1. */

void mesh_nodes(int n, double *node_xy);
void mesh_elements(int n, int *element_node);

/* element_neighbor[3 * e + k] is the element behind edge k, or -1. */
void mesh_neighbors(int element_num, const int *element_node, int *element_neighbor);

/* Nodes at the ends of an edge that belongs to one element only. */
void mesh_boundary(int element_num, const int *element_node, int node_num, bool *node_boundary);

/* Row i of the matrix is columns ja[ia[i] ... ia[i + 1] - 1], in order. Each edge gives two
 * entries: it is counted by one of its elements, which the neighbours say. */
int sparse_rows(int element_num, const int *element_node, const int *element_neighbor,
	int node_num, int *ia);
void sparse_columns(int element_num, const int *element_node, const int *element_neighbor,
	int node_num, const int *ia, int *ja);
int sparse_find(const int *ia, const int *ja, int row, int column);
void sparse_multiply(int n, const int *ia, const int *ja, const double *a, const double *x,
	double *y);
void sparse_check(const int *ia, const int *ja, int n);

#endif
