/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix through pointers to its rows.
 * expect: m 3/4 at main
 * expect: v 1/4 at main */
#include "kernel.h"

int main(int argc, char **argv)
{
	double **m = malloc(3 * sizeof *m), v[3];
	kernel_begin(argc, argv);
	for (int i = 0; i < 3; i++) {
		m[i] = malloc(2 * sizeof **m);
		for (int j = 0; j < 2; j++)
			m[i][j] = mix(i + j, unit / 2);
		v[i] = mix(i, unit / 3);
	}
	printf("%g %g\n", m[argc][1], v[argc]);
	return 0;
}
