/* SPDX-License-Identifier: BSD-3-Clause */
/* quad_mpi.c - approximates an integral over a cube of several dimensions with MPI.
 *
 *      mpiexec -n 4 quad_mpi [INPUT]     without INPUT: 4 dimensions, 30 points in each
 *
 * Process 0 reads the input and makes the points and weights of the rule. It sends each other
 * process its part. Each process adds up its part, and MPI_Reduce gives the integral to process 0.
 *
 * While process 0 reads, the others wait in the broadcast of dim_num. While it makes the points,
 * they wait for point_num_proc, the first message about their part. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG_NUMBER = 1, TAG_WEIGHTS, TAG_POINTS };
#define DIMENSIONS_MOST 8
#define ORDER_MOST 64
#define PEAKS 24

struct input {
	int dim_num, order;
	double centre[DIMENSIONS_MOST];
};

static void fail(const char *reason)
{
	fprintf(stderr, "quad_mpi: %s\n", reason);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

/* A file of numbers: dimensions, order, and then any number of values for the centre, which are
 * taken in turn; the last ones count. */
static void input_read(struct input *input, FILE *file)
{
	double value;
	if (fscanf(file, "%d %d", &input->dim_num, &input->order) != 2)
		fail("the input begins with two numbers: dimensions and order");
	for (int i = 0; fscanf(file, "%lf", &value) == 1; i++)
		input->centre[i % DIMENSIONS_MOST] = value;
}

/* Without a file the input is text that this program has made itself. */
static FILE *input_make(void)
{
	FILE *file = tmpfile();
	if (!file)
		return NULL;
	fprintf(file, "4 30\n");
	for (int i = 0; i < 1200000; i++)
		fprintf(file, "%.17g\n", 0.5 + 0.25 * (i % 7) / 7.0);
	rewind(file);
	return file;
}

static void input_open(const char *name, struct input *input)
{
	FILE *file = name ? fopen(name, "r") : input_make();
	if (!file)
		fail("cannot open the input");
	input_read(input, file);
	fclose(file);
	if (input->dim_num < 1 || input->dim_num > DIMENSIONS_MOST)
		fail("1 to 8 dimensions");
	if (input->order < 1 || input->order > ORDER_MOST)
		fail("the order is 1 to 64");
}

/* Gauss-Legendre on the interval from 0 to 1, by Newton's method. */
static void rule_line(int order, double *x, double *w)
{
	for (int i = 0; i < order; i++) {
		double root = cos(M_PI * (i + 0.75) / (order + 0.5)), slope = 1;
		for (int step = 0; step < 20; step++) {
			double p = 1, before = 0;
			for (int k = 0; k < order; k++) {
				double next = ((2 * k + 1) * root * p - k * before) / (k + 1);
				before = p;
				p = next;
			}
			slope = order * (root * p - before) / (root * root - 1);
			root -= p / slope;
		}
		x[i] = (1 - root) / 2;
		w[i] = 1 / ((1 - root * root) * slope * slope);
	}
}

static int rule_size(int dim_num, int order)
{
	int size = 1;
	for (int d = 0; d < dim_num; d++) {
		if (size > 100000000 / order)
			fail("the rule has too many points");
		size *= order;
	}
	return size;
}

/* Points first, ..., first + count - 1 of the product of lines. */
static void rule_points(int dim_num, int order, int first, int count, const double *line_x,
	const double *line_w, double *x, double *w)
{
	for (int i = 0; i < count; i++) {
		int rest = first + i;
		w[i] = 1;
		for (int d = 0; d < dim_num; d++) {
			x[i * dim_num + d] = line_x[rest % order];
			w[i] *= line_w[rest % order];
			rest /= order;
		}
	}
}

/* The sum of several peaks of three widths. Their centres have the same coordinates, in another
 * order each. */
static double integrand(int dim_num, const double *x, const double *centre)
{
	double value = 0;
	for (int peak = 0; peak < PEAKS; peak++) {
		double sum = 0;
		for (int d = 0; d < dim_num; d++) {
			double away = x[d] - centre[(peak + d) % DIMENSIONS_MOST];
			sum += away * away;
		}
		value += exp(-sum * (1 + peak / DIMENSIONS_MOST));
	}
	return value;
}

static double integrate(int dim_num, int point_num, const double *x, const double *w,
	const double *centre)
{
	double sum = 0;
	for (int i = 0; i < point_num; i++)
		sum += w[i] * integrand(dim_num, &x[i * dim_num], centre);
	return sum;
}

static double *allocate(size_t count)
{
	double *p = malloc((count + 1) * sizeof *p);
	if (!p)
		fail("no memory");
	return p;
}

int main(int argc, char **argv)
{
	int task_num, task, point_num, point_num_proc = 0;
	double *x_proc = NULL, *w_proc = NULL, quad = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &task_num);
	MPI_Comm_rank(MPI_COMM_WORLD, &task);

	struct input input = { 0 };
	if (task == 0)
		input_open(argc > 1 ? argv[1] : NULL, &input);
	int dim_num = input.dim_num, order = input.order;
	MPI_Bcast(&dim_num, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Bcast(&order, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Bcast(input.centre, DIMENSIONS_MOST, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	point_num = rule_size(dim_num, order);

	if (task == 0) {
		double line_x[ORDER_MOST], line_w[ORDER_MOST];
		rule_line(order, line_x, line_w);
		for (int task_proc = task_num - 1; task_proc >= 0; task_proc--) {
			int first = (int)((long)point_num * task_proc / task_num);
			int next = (int)((long)point_num * (task_proc + 1) / task_num);
			point_num_proc = next - first;
			double *w = allocate((size_t)point_num_proc);
			double *x = allocate((size_t)point_num_proc * (size_t)dim_num);
			rule_points(dim_num, order, first, point_num_proc, line_x, line_w, x, w);
			if (task_proc == 0) {
				x_proc = x;
				w_proc = w;
				break;
			}
			MPI_Send(&point_num_proc, 1, MPI_INT, task_proc, TAG_NUMBER,
				MPI_COMM_WORLD);
			MPI_Send(w, point_num_proc, MPI_DOUBLE, task_proc, TAG_WEIGHTS,
				MPI_COMM_WORLD);
			MPI_Send(x, point_num_proc * dim_num, MPI_DOUBLE, task_proc, TAG_POINTS,
				MPI_COMM_WORLD);
			free(w);
			free(x);
		}
	} else {
		MPI_Recv(&point_num_proc, 1, MPI_INT, 0, TAG_NUMBER, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
		w_proc = allocate((size_t)point_num_proc);
		x_proc = allocate((size_t)point_num_proc * (size_t)dim_num);
		MPI_Recv(w_proc, point_num_proc, MPI_DOUBLE, 0, TAG_WEIGHTS, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
		MPI_Recv(x_proc, point_num_proc * dim_num, MPI_DOUBLE, 0, TAG_POINTS,
			MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}

	double quad_proc = integrate(dim_num, point_num_proc, x_proc, w_proc, input.centre);
	MPI_Reduce(&quad_proc, &quad, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (task == 0)
		printf("%d dimensions, %d points: integral %.12f\n", dim_num, point_num, quad);
	free(x_proc);
	free(w_proc);
	MPI_Finalize();
	return 0;
}
