/* SPDX-License-Identifier: BSD-3-Clause */
/* flags: -fopenmp. Constructs and tasks whose last call compilers make a jump of.
 * expect: a 2/4 at main
 * expect: b 1/4 at main
 * expect: c 1/4 at main */
#include "kernel.h"

enum { ROUNDS = 10 }; /* so that a processor that gets slower is so in all constructs */

static ALONE void fill(double *to) { *to = mix(*to, unit / ROUNDS); }

static ALONE void share(double *to)
{
#pragma omp for
	for (int i = 0; i < 2; i++)
		to[i] = mix(to[i], unit / ROUNDS);
}

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	double a[2] = { 1, 2 }, b = 3, c = 4;
	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel num_threads(2)
		share(a);
#pragma omp parallel num_threads(2)
#pragma omp single
		fill(&b);
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
		fill(&c);
	}
	printf("%g %g %g\n", a[argc], b, c);
	return 0;
}
