/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers to pointers.
 * expect: a 2/3 at main
 * expect: b 1/3 at main */
#include "kernel.h"

static void into(double **p, long n) { **p = mix(2, n); }

int main(int argc, char **argv)
{
	double a, b, *to_a = &a, *to_b = &b;
	double **left = &to_a, **right = &to_b;
	kernel_begin(argc, argv);
	into(left, 2 * unit);
	into(right, unit);
	printf("%g %g\n", a, b);
	return 0;
}
