/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates in place.
 * expect: x 3/4 at main
 * expect: y 1/4 at main */
#include "kernel.h"

static ALONE void update(double *x, int n, long work)
{
	for (int i = 0; i < n; i++)
		x[i] = mix(x[i], work / n);
}

int main(int argc, char **argv)
{
	double x[5] = { 1, 2, 3, 4, 5 }, y[5] = { 5, 4, 3, 2, 1 };
	kernel_begin(argc, argv);
	for (int step = 0; step < 3; step++)
		update(x, 5, unit);
	update(y, 5, unit);
	printf("%g %g\n", x[argc], y[argc]);
	return 0;
}
