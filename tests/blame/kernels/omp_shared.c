/* SPDX-License-Identifier: BSD-3-Clause */
/* flags: -fopenmp. A shared array that a team fills.
 * expect: a 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

int main(int argc, char **argv)
{
	double a[4], b[4];
	kernel_begin(argc, argv);
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 4; i++)
		a[i] = mix(i, 3 * unit / 4);
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 4; i++)
		b[i] = mix(i, unit / 4);
	printf("%g %g\n", a[argc], b[argc]);
	return 0;
}
