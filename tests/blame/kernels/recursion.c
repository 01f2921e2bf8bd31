/* SPDX-License-Identifier: BSD-3-Clause */
/* A function that calls itself.
 * expect: a 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

static ALONE double descend(int depth, double x)
{
	return depth ? mix(descend(depth - 1, x), unit) : x;
}

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	double a = descend(3, 1), b = descend(1, 2);
	printf("%g %g\n", a, b);
	return 0;
}
