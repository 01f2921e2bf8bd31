/* stommel_seq.c - the model in one process. Compiled without -fopenmp it is the sequential form,
 * with -fopenmp the OpenMP form: only model.c's loops differ.
 */
#include "stommel.h"

#include <inttypes.h>
#include <stdio.h>

static double iterate(struct block *block, const struct input *input)
{
	struct weights weights = weights_make(input);
	double change = 0;
	for (int i = 1; i <= input->iterations; i++) {
		change = do_jacobi(block, weights);
#pragma sis measure disable
		bc(block, input);
#pragma sis measure enable
		if (input->report_every && i % input->report_every == 0)
			printf("iteration %d: change %.6e\n", i, change);
	}
	return change;
}

int main(int argc, char **argv)
{
	struct input input;
	struct block block;
	if (input_read(&input, argc, argv))
		return 2;

#pragma sis cr comp_main, CR_A, CR_S pmetric WTIME, L2_TCM begin
#pragma sis cr init_comp begin
	if (block_init(&block, 1, input.nx, 1, input.ny))
		return 1;
#pragma sis end cr
#pragma sis measure disable
	bc(&block, &input);
#pragma sis measure enable
	do_force(&block, &input);
	double change = iterate(&block, &input);
#pragma sis end cr

	printf("change %.6e maximum %.6e checksum %016" PRIx64 "\n", change, block_maximum(&block),
	       block_checksum(&block, &input));
	block_release(&block);
	return 0;
}
