/* SPDX-License-Identifier: BSD-3-Clause */
/* Static variables of a file.
 * expect: total 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

static double total[2];

static ALONE void add(int i) { total[i & 1] += mix(i, unit); }

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	for (int i = 0; i < 3; i++)
		add(i);
	double b = mix(2, unit);
	printf("%g %g\n", total[argc & 1], b);
	return 0;
}
