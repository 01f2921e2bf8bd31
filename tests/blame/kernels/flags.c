/* SPDX-License-Identifier: BSD-3-Clause */
/* The work for a flag counts for what is written where it is set.
 * expect: a 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

int main(int argc, char **argv)
{
	double a[2] = { 0, 0 }, b[1];
	kernel_begin(argc, argv);
	int flag = mix(1, 3 * unit) > 0;
	if (flag)
		a[argc > 1] = 1;
	b[0] = mix(2, unit);
	printf("%g %g\n", a[argc > 1], b[0]);
	return 0;
}
