/* SPDX-License-Identifier: BSD-3-Clause */
/* A routine that is called twice with different variables keeps them apart.
 * expect: x 1/10 at main
 * expect: y 2/10 at main
 * expect: u 3/10 at main
 * expect: v 4/10 at main */
#include "kernel.h"

static void swap(double *left, double *right)
{
	double old = *left;
	*left = *right;
	*right = old;
}

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	double x = mix(1, unit), y = mix(2, 2 * unit), u = mix(3, 3 * unit), v = mix(4, 4 * unit);
	swap(&x, &y);
	swap(&u, &v);
	printf("%g %g %g %g\n", x, y, u, v);
	return 0;
}
