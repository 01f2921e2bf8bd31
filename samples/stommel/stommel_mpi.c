/* stommel_mpi.c - the model on a grid of processes, each with one block. Compiled without -fopenmp
 * it is the MPI form, with -fopenmp the hybrid one: only model.c's loops differ.
 *
 * Before every sweep, neighbours send each other their outermost own points, which become the ghost
 * points of the other. Processes with even coordinates send first, so blocking calls are enough.
 */
#include "stommel.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>

/* d1: all regions in this file that send, receive or take part in collective communication */
#pragma sis cr pmetric ODATA_SEND, ODATA_RECV, ODATA_COL
#pragma sis cr CR_F, CR_MPI, CR_IO

enum { TAG = 1, MASTER = 0, DIMENSIONS = 2 };

struct grid {
	MPI_Comm comm;
	int rank;
	/* processes, and this one, along rows and columns */
	int size[DIMENSIONS], coords[DIMENSIONS];
	/* ranks of the neighbours; MPI_PROC_NULL: the coast */
	int before[DIMENSIONS], after[DIMENSIONS];
	/* the own points of one row or column of a block */
	MPI_Datatype row, column;
};

static void grid_init(struct grid *grid)
{
	int processes, periodic[DIMENSIONS] = {0, 0};
	MPI_Comm_size(MPI_COMM_WORLD, &processes);
	grid->size[0] = grid->size[1] = 0;
	MPI_Dims_create(processes, DIMENSIONS, grid->size);
	MPI_Cart_create(MPI_COMM_WORLD, DIMENSIONS, grid->size, periodic, 0, &grid->comm);
	MPI_Comm_rank(grid->comm, &grid->rank);
	MPI_Cart_coords(grid->comm, grid->rank, DIMENSIONS, grid->coords);
	for (int d = 0; d < DIMENSIONS; d++)
		MPI_Cart_shift(grid->comm, d, 1, &grid->before[d], &grid->after[d]);
}

static void grid_release(struct grid *grid)
{
	MPI_Type_free(&grid->row);
	MPI_Type_free(&grid->column);
	MPI_Comm_free(&grid->comm);
}

/* Points [*first, *first + *count) of `points`, from 1, are those of coordinate `k` of `n`. */
static void share(int points, int n, int k, int *first, int *count)
{
	int begin = (int)((long)points * k / n), end = (int)((long)points * (k + 1) / n);
	*first = begin + 1;
	*count = end - begin;
}

static int grid_block(struct grid *grid, const struct input *input, struct block *block)
{
	int row, rows, col, cols;
	share(input->nx, grid->size[0], grid->coords[0], &row, &rows);
	share(input->ny, grid->size[1], grid->coords[1], &col, &cols);
	MPI_Type_contiguous(cols, MPI_DOUBLE, &grid->row);
	MPI_Type_vector(rows, 1, cols + 2, MPI_DOUBLE, &grid->column);
	MPI_Type_commit(&grid->row);
	MPI_Type_commit(&grid->column);
	return block_init(block, row, rows, col, cols);
}

static void transfer(struct grid *grid, int d, MPI_Datatype type, double *first, double *last,
		     double *ghost_before, double *ghost_after)
{
	if (grid->coords[d] % 2 == 0) {
		MPI_Send(last, 1, type, grid->after[d], TAG, grid->comm);
		MPI_Recv(ghost_after, 1, type, grid->after[d], TAG, grid->comm, MPI_STATUS_IGNORE);
		MPI_Send(first, 1, type, grid->before[d], TAG, grid->comm);
		MPI_Recv(ghost_before, 1, type, grid->before[d], TAG, grid->comm,
			 MPI_STATUS_IGNORE);
	} else {
		MPI_Recv(ghost_before, 1, type, grid->before[d], TAG, grid->comm,
			 MPI_STATUS_IGNORE);
		MPI_Send(first, 1, type, grid->before[d], TAG, grid->comm);
		MPI_Recv(ghost_after, 1, type, grid->after[d], TAG, grid->comm, MPI_STATUS_IGNORE);
		MPI_Send(last, 1, type, grid->after[d], TAG, grid->comm);
	}
}

static void do_transfer(struct grid *grid, struct block *block)
{
	double *psi = block->psi;
	transfer(grid, 0, grid->row, &psi[at(block, 1, 1)], &psi[at(block, block->rows, 1)],
		 &psi[at(block, 0, 1)], &psi[at(block, block->rows + 1, 1)]);
	transfer(grid, 1, grid->column, &psi[at(block, 1, 1)], &psi[at(block, 1, block->cols)],
		 &psi[at(block, 1, 0)], &psi[at(block, 1, block->cols + 1)]);
}

static double iterate(struct grid *grid, struct block *block, const struct input *input)
{
	struct weights weights = weights_make(input);
	double own, change = 0;
	for (int i = 1; i <= input->iterations; i++) {
		do_transfer(grid, block);
		own = do_jacobi(block, weights);
#pragma sis measure disable
		bc(block, input);
#pragma sis measure enable
		MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_MAX, grid->comm);
		if (grid->rank == MASTER && input->report_every && i % input->report_every == 0)
			printf("iteration %d: change %.6e\n", i, change);
	}
	return change;
}

static void result(struct grid *grid, const struct block *block, const struct input *input,
		   double change)
{
	double own = block_maximum(block), maximum;
	uint64_t part = block_checksum(block, input), checksum;
	MPI_Reduce(&own, &maximum, 1, MPI_DOUBLE, MPI_MAX, MASTER, grid->comm);
	MPI_Reduce(&part, &checksum, 1, MPI_UINT64_T, MPI_SUM, MASTER, grid->comm);
	if (grid->rank == MASTER)
		printf("change %.6e maximum %.6e checksum %016" PRIx64 "\n", change, maximum,
		       checksum);
}

int main(int argc, char **argv)
{
	struct input input;
	struct grid grid;
	struct block block;
	int given, failed = 0;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
	grid_init(&grid);
	if (grid.rank == MASTER)
		failed = input_read(&input, argc, argv);
	MPI_Bcast(&failed, 1, MPI_INT, MASTER, grid.comm);
	if (failed) {
		MPI_Finalize();
		return 2;
	}
	MPI_Bcast(&input, sizeof input, MPI_BYTE, MASTER, grid.comm);

#pragma sis cr comp_main, CR_A, CR_S pmetric WTIME, L2_TCM begin
#pragma sis cr init_comp begin
	if (grid_block(&grid, &input, &block))
		MPI_Abort(MPI_COMM_WORLD, 1);
#pragma sis end cr
#pragma sis measure disable
	bc(&block, &input);
#pragma sis measure enable
	do_force(&block, &input);
	double change = iterate(&grid, &block, &input);
#pragma sis end cr

	result(&grid, &block, &input, change);
	block_release(&block);
	grid_release(&grid);
	MPI_Finalize();
	return 0;
}
