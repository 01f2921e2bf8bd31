/* SPDX-License-Identifier: BSD-3-Clause */
/* Global variables.
 * expect: left 1/4 at main
 * expect: right 3/4 at main */
#include "kernel.h"

double left, right[3];

static ALONE void compute(void)
{
	left = mix(1, unit);
	for (int i = 0; i < 3; i++)
		right[i] = mix(i, unit);
}

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	compute();
	printf("%g %g\n", left, right[argc]);
	return 0;
}
