/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes through other names of a variable.
 * expect: a 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

static void into(double *p, long n) { *p = mix(*p, n); }

int main(int argc, char **argv)
{
	double a = 1, b = 2, *p = &a, *q = &b;
	kernel_begin(argc, argv);
	into(p, 3 * unit);
	*q = mix(*q, unit);
	printf("%g %g\n", a, b);
	return 0;
}
