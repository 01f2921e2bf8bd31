/* SPDX-License-Identifier: BSD-3-Clause */
/* Scalars whose value goes on give their work to where it goes.
 * expect: c 3/4 at main
 * expect: d 1/4 at main */
#include "kernel.h"

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	double a = mix(1, unit), b = mix(2, 2 * unit), d = mix(3, unit);
	double c = a + b;
	printf("%g %g\n", c, d);
	return 0;
}
