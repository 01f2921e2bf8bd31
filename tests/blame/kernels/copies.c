/* SPDX-License-Identifier: BSD-3-Clause */
/* memcpy out of a variable that the blame point does not see.
 * expect: a 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

static ALONE void fill(double *out, long n)
{
	double local[4];
	for (int i = 0; i < 4; i++)
		local[i] = mix(i, n / 4);
	memcpy(out, local, sizeof local);
}

int main(int argc, char **argv)
{
	double a[4], b[4];
	kernel_begin(argc, argv);
	fill(a, 3 * unit);
	fill(b, unit);
	printf("%g %g\n", a[argc], b[argc]);
	return 0;
}
