/* SPDX-License-Identifier: BSD-3-Clause */
/* Scalars that are only printed.
 * expect: a 1/4 at main
 * expect: b 3/4 at main */
#include "kernel.h"

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	double a = mix(1, unit), b = mix(2, 3 * unit);
	printf("%g %g\n", a, b);
	return 0;
}
