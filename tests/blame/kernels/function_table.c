/* SPDX-License-Identifier: BSD-3-Clause */
/* Function pointers in a table.
 * expect: a 1/4 at main
 * expect: b 3/4 at main */
#include "kernel.h"

static ALONE double once(double x) { return mix(x, unit); }
static ALONE double thrice(double x) { return mix(x, 3 * unit); }
static double (*volatile table[2])(double) = { once, thrice };

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	double a = table[0](1), b = table[1](2);
	printf("%g %g\n", a, b);
	return 0;
}
