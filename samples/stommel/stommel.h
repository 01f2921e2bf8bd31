/* stommel.h - the common part of the four forms of the model: the constants of the equation, and a
 * block of the grid.
 *
 * Stommel's model of the wind-driven circulation of a closed rectangular basin: the stream function
 * psi obeys
 *
 *     gamma (psi_xx + psi_yy) + beta psi_x = -alpha sin(pi y / ly),   psi = 0 at the coast
 *
 * Central differences on nx x ny inner points give, for each point, a weighted sum of its four
 * neighbours and the wind. Jacobi's iteration repeats this sum. A block is the whole grid, or the
 * part of one process:
 *
 *     row 0               ghost or coast
 *     rows 1 .. rows      own points, columns 1 .. cols; rows go with x, columns with y
 *     row rows+1          ghost or coast
 */
#ifndef STOMMEL_H
#define STOMMEL_H

#include <stddef.h>
#include <stdint.h>

struct input { /* numbers only, because it is broadcast as bytes */
	int nx, ny;       /* inner points of the whole grid */
	int iterations;
	int report_every; /* iterations between two lines of output; 0: none */
	double lx, ly;    /* extent of the basin, m */
	double alpha;     /* wind stress */
	double beta;      /* change of the Coriolis parameter with latitude, 1/(m s) */
	double gamma;     /* bottom friction, 1/s */
};

struct weights { double east, west, north, south, wind; };

struct block {
	int first_row, first_col; /* index in the whole grid of its point (1, 1), from 1 */
	int rows, cols;           /* own points */
	double *psi, *next;       /* (rows + 2) x (cols + 2) each */
	double *force;            /* the wind, same layout */
};

static inline size_t at(const struct block *block, int row, int col)
{
	return (size_t)row * ((size_t)block->cols + 2) + (size_t)col;
}

/* Sets the classic basin, and the values of the command line; 0, or -1 with a message on stderr. */
int input_read(struct input *input, int argc, char **argv);
struct weights weights_make(const struct input *input);

/* Allocates the block's memory, all zero; 0, or -1 with a message on stderr. */
int block_init(struct block *block, int first_row, int rows, int first_col, int cols);
void block_release(struct block *block);

/* The boundary condition at the coast: psi is zero at the border of the whole grid. */
void bc(struct block *block, const struct input *input);
void do_force(struct block *block, const struct input *input);
/* One sweep from psi to next; then exchanges the two. Returns the largest change of a point. */
double do_jacobi(struct block *block, struct weights weights);

/* A summand of the checksum of psi: the sum over all blocks modulo 2^64 does not depend on how the
 * grid is divided. */
uint64_t block_checksum(const struct block *block, const struct input *input);
double block_maximum(const struct block *block);

#endif
