/* SPDX-License-Identifier: BSD-3-Clause */
/* flags: -fopenmp. A private scalar gives its work to the shared array.
 * expect: out 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

int main(int argc, char **argv)
{
	double t = 0, out[4], b[4];
	kernel_begin(argc, argv);
#pragma omp parallel for num_threads(2) private(t)
	for (int i = 0; i < 4; i++) {
		t = mix(i, 3 * unit / 4);
		out[i] = t;
	}
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 4; i++)
		b[i] = mix(i, unit / 4);
	printf("%g %g %g\n", t, out[argc], b[argc]);
	return 0;
}
