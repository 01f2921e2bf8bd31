/* SPDX-License-Identifier: BSD-3-Clause */
/* qsort calls back once for two elements; the comparison counts for the array.
 * expect: a 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

static int compare(const void *left, const void *right)
{
	double x = *(const double *)left, y = *(const double *)right;
	return mix(x, 3 * unit) < y ? -1 : 1;
}

int main(int argc, char **argv)
{
	double a[2] = { 7, 5 }, b[1];
	kernel_begin(argc, argv);
	qsort(a, 2, sizeof *a, compare);
	b[0] = mix(2, unit);
	printf("%g %g\n", a[0], b[0]);
	return 0;
}
