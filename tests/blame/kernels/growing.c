/* SPDX-License-Identifier: BSD-3-Clause */
/* An array that realloc moves.
 * expect: a 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

int main(int argc, char **argv)
{
	double *a = NULL, b[1];
	kernel_begin(argc, argv);
	for (int i = 0; i < 6; i++) {
		double *grown = realloc(a, (i + 1) * 100 * sizeof *a);
		if (!grown)
			return 1;
		a = grown;
		a[i * 100] = mix(i, unit / 2);
	}
	b[0] = mix(2, unit);
	printf("%g %g\n", a[argc], b[0]);
	free(a);
	return 0;
}
