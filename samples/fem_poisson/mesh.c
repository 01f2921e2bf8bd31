/* SPDX-License-Identifier: BSD-3-Clause */
/* mesh.c - triangles of the unit square, their neighbours, and the nodes on the boundary.
 *
 *      (0,1) +---+---+
 *            | \ | \ |       each square has two triangles; n * n nodes
 *            +---+---+
 *
 * Neighbours and boundary are found as a program would that knows nothing about the square: all
 * edges are sorted, and equal ones are then side by side. */
#include <stdlib.h>

#include "fem_poisson.h"

struct edge {
	int low, high;   /* its nodes */
	int element, side;
};

void mesh_nodes(int n, double *node_xy)
{
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++) {
			node_xy[2 * (j * n + i)] = (double)i / (n - 1);
			node_xy[2 * (j * n + i) + 1] = (double)j / (n - 1);
		}
}

void mesh_elements(int n, int *element_node)
{
	int e = 0;
	for (int j = 0; j < n - 1; j++)
		for (int i = 0; i < n - 1; i++) {
			int corner = j * n + i;
			element_node[e++] = corner;
			element_node[e++] = corner + 1;
			element_node[e++] = corner + n;
			element_node[e++] = corner + n + 1;
			element_node[e++] = corner + n;
			element_node[e++] = corner + 1;
		}
}

static int edge_compare(const struct edge *a, const struct edge *b)
{
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->high < b->high ? -1 : a->high > b->high;
}

static void edge_sink(struct edge *edge, int root, int count)
{
	for (int child; (child = 2 * root + 1) < count; root = child) {
		if (child + 1 < count && edge_compare(&edge[child], &edge[child + 1]) < 0)
			child++;
		if (edge_compare(&edge[root], &edge[child]) >= 0)
			return;
		struct edge swap = edge[root];
		edge[root] = edge[child];
		edge[child] = swap;
	}
}

/* Heap sort: its time does not depend on the order of the elements. */
static void edge_sort(struct edge *edge, int count)
{
	for (int root = count / 2 - 1; root >= 0; root--)
		edge_sink(edge, root, count);
	for (int last = count - 1; last > 0; last--) {
		struct edge swap = edge[0];
		edge[0] = edge[last];
		edge[last] = swap;
		edge_sink(edge, 0, last);
	}
}

static struct edge *edges_sorted(int element_num, const int *element_node)
{
	struct edge *edge = malloc(3 * (size_t)element_num * sizeof *edge);
	if (!edge)
		exit(1);
	for (int e = 0; e < element_num; e++)
		for (int k = 0; k < 3; k++) {
			int from = element_node[3 * e + k], to = element_node[3 * e + (k + 1) % 3];
			edge[3 * e + k] = (struct edge){ .low = from < to ? from : to,
				.high = from < to ? to : from, .element = e, .side = k };
		}
	edge_sort(edge, 3 * element_num);
	return edge;
}

void mesh_neighbors(int element_num, const int *element_node, int *element_neighbor)
{
	struct edge *edge = edges_sorted(element_num, element_node);
	for (int i = 0; i < 3 * element_num; i++)
		element_neighbor[i] = -1;
	for (int i = 0; i + 1 < 3 * element_num; i++)
		if (edge_compare(&edge[i], &edge[i + 1]) == 0) {
			element_neighbor[3 * edge[i].element + edge[i].side] = edge[i + 1].element;
			element_neighbor[3 * edge[i + 1].element + edge[i + 1].side] =
				edge[i].element;
		}
	free(edge);
}

void mesh_boundary(int element_num, const int *element_node, int node_num, bool *node_boundary)
{
	struct edge *edge = edges_sorted(element_num, element_node);
	for (int i = 0; i < node_num; i++)
		node_boundary[i] = false;
	for (int i = 0; i < 3 * element_num; i++) {
		bool before = i > 0 && edge_compare(&edge[i - 1], &edge[i]) == 0;
		bool after = i + 1 < 3 * element_num && edge_compare(&edge[i], &edge[i + 1]) == 0;
		if (!before && !after)
			node_boundary[edge[i].low] = node_boundary[edge[i].high] = true;
	}
	free(edge);
}
