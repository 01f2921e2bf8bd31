/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of the heap have the names of the variables that lead to them.
 * expect: a 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	double *a = malloc(4 * sizeof *a), *b = malloc(4 * sizeof *b);
	if (!a || !b)
		return 1;
	for (int i = 0; i < 4; i++) {
		a[i] = mix(i, 3 * unit / 4);
		b[i] = mix(i, unit / 4);
	}
	printf("%g %g\n", a[argc], b[argc]);
	free(a);
	free(b);
	return 0;
}
