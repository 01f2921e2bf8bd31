/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays; the counter of the loop has no work of its own.
 * expect: x 1/4 at main
 * expect: y 3/4 at main */
#include "kernel.h"

int main(int argc, char **argv)
{
	double x[10], y[10];
	kernel_begin(argc, argv);
	for (int i = 0; i < 10; i++) {
		x[i] = mix(i, unit / 10);
		y[i] = mix(i, 3 * unit / 10);
	}
	printf("%g %g\n", x[argc], y[argc]);
	return 0;
}
