/* model.c - the model on one block of the grid. It does not depend on the number of processes.
 *
 * With -fopenmp the loops are divided among threads; without, the pragmas have no effect.
 */
#include "stommel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int input_read(struct input *input, int argc, char **argv)
{
	*input = (struct input){
		.nx = 500, .ny = 500, .iterations = 400, .report_every = 100,
		.lx = 2e6, .ly = 2e6, .alpha = 1e-9, .beta = 2.25e-11, .gamma = 3e-6,
	};
	if (argc > 1)
		input->nx = input->ny = atoi(argv[1]);
	if (argc > 2)
		input->iterations = atoi(argv[2]);
	if (argc > 3)
		input->report_every = atoi(argv[3]);
	if (argc > 4 || input->nx < 1 || input->iterations < 1 || input->report_every < 0) {
		fprintf(stderr, "usage: %s [POINTS [ITERATIONS [REPORT_EVERY]]]\n", argv[0]);
		return -1;
	}
	return 0;
}

struct weights weights_make(const struct input *input)
{
	double dx = input->lx / (input->nx + 1), dy = input->ly / (input->ny + 1);
	double dx2 = dx * dx, dy2 = dy * dy;
	double bottom = 2 * (dx2 + dy2);
	double drift = input->beta * dx * dy2 / (2 * input->gamma * bottom);
	return (struct weights){
		.east = dy2 / bottom + drift, .west = dy2 / bottom - drift,
		.north = dx2 / bottom, .south = dx2 / bottom,
		.wind = dx2 * dy2 / (input->gamma * bottom),
	};
}

int block_init(struct block *block, int first_row, int rows, int first_col, int cols)
{
	*block = (struct block){.first_row = first_row, .first_col = first_col, .rows = rows,
		.cols = cols};
	size_t points = at(block, rows + 2, 0);
	block->psi = calloc(points, sizeof *block->psi);
	block->next = calloc(points, sizeof *block->next);
	block->force = calloc(points, sizeof *block->force);
	if (block->psi && block->next && block->force)
		return 0;
	fprintf(stderr, "stommel: error: no memory for a block of %d x %d points; ask for fewer\n",
		rows, cols);
	block_release(block);
	return -1;
}

void block_release(struct block *block)
{
	free(block->psi);
	free(block->next);
	free(block->force);
	memset(block, 0, sizeof *block);
}

static void coast_row(struct block *block, int row)
{
	memset(&block->psi[at(block, row, 0)], 0, ((size_t)block->cols + 2) * sizeof *block->psi);
}

static void coast_column(struct block *block, int col)
{
	for (int row = 0; row <= block->rows + 1; row++)
		block->psi[at(block, row, col)] = 0;
}

void bc(struct block *block, const struct input *input)
{
	if (block->first_row == 1)
		coast_row(block, 0);
	if (block->first_row + block->rows - 1 == input->nx)
		coast_row(block, block->rows + 1);
	if (block->first_col == 1)
		coast_column(block, 0);
	if (block->first_col + block->cols - 1 == input->ny)
		coast_column(block, block->cols + 1);
}

void do_force(struct block *block, const struct input *input)
{
	double dy = input->ly / (input->ny + 1);
#pragma omp parallel for
	for (int row = 1; row <= block->rows; row++) {
		for (int col = 1; col <= block->cols; col++) {
			double y = (block->first_col + col - 1) * dy;
			block->force[at(block, row, col)] = -input->alpha *
				sin(M_PI * y / input->ly);
		}
	}
}

double do_jacobi(struct block *block, struct weights weights)
{
	const double *psi = block->psi, *force = block->force;
	double *next = block->next;
	size_t row_length = at(block, 1, 0);
	double largest = 0;
#pragma omp parallel for reduction(max : largest)
	for (int row = 1; row <= block->rows; row++) {
		for (int col = 1; col <= block->cols; col++) {
			size_t here = at(block, row, col);
			next[here] = weights.east * psi[here + row_length] +
				weights.west * psi[here - row_length] +
				weights.north * psi[here + 1] + weights.south * psi[here - 1] -
				weights.wind * force[here];
			double change = fabs(next[here] - psi[here]);
			largest = change > largest ? change : largest;
		}
	}
	block->next = block->psi;
	block->psi = next;
	return largest;
}

uint64_t block_checksum(const struct block *block, const struct input *input)
{
	uint64_t sum = 0;
	for (int row = 1; row <= block->rows; row++) {
		for (int col = 1; col <= block->cols; col++) {
			uint64_t bits, index;
			memcpy(&bits, &block->psi[at(block, row, col)], sizeof bits);
			index = (uint64_t)(block->first_row + row) * (uint64_t)(input->ny + 2) +
				(uint64_t)(block->first_col + col);
			sum += bits * (2 * index + 1);
		}
	}
	return sum;
}

double block_maximum(const struct block *block)
{
	double maximum = 0;
	for (int row = 1; row <= block->rows; row++)
		for (int col = 1; col <= block->cols; col++)
			maximum = fmax(maximum, block->psi[at(block, row, col)]);
	return maximum;
}
