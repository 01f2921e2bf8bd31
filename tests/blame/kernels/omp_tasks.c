/* SPDX-License-Identifier: BSD-3-Clause */
/* flags: -fopenmp. Tasks.
 * expect: a 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

int main(int argc, char **argv)
{
	double a[3], b[1];
	kernel_begin(argc, argv);
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		for (int i = 0; i < 3; i++)
#pragma omp task firstprivate(i) shared(a)
			a[i] = mix(i, unit);
#pragma omp task shared(b)
		b[0] = mix(2, unit);
	}
	printf("%g %g\n", a[argc], b[0]);
	return 0;
}
