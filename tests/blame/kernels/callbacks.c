/* SPDX-License-Identifier: BSD-3-Clause */
/* Work of functions that are arguments.
 * expect: a 1/4 at main
 * expect: b 3/4 at main */
#include "kernel.h"

typedef double operation(double x);

static double once(double x) { return mix(x, unit); }
static double thrice(double x) { return mix(x, 3 * unit); }
static ALONE void apply(operation *work, double *result) { *result = work(*result); }

int main(int argc, char **argv)
{
	double a = 1, b = 2;
	kernel_begin(argc, argv);
	apply(once, &a);
	apply(thrice, &b);
	printf("%g %g\n", a, b);
	return 0;
}
