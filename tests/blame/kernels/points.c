/* SPDX-License-Identifier: BSD-3-Clause */
/* Two blame points: the variables of solve are not those of main.
 * expect: left 1/3 at main/solve
 * expect: right 2/3 at main/solve
 * expect: x 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

static ALONE void solve(double *out)
{
	double left[2], right[2];
	left[0] = mix(1, unit);
	right[0] = mix(2, 2 * unit);
	out[0] = left[0] + right[0];
}

int main(int argc, char **argv)
{
	double x[1], b[1];
	kernel_begin(argc, argv);
	solve(x);
	b[0] = mix(3, unit);
	printf("%g %g\n", x[0], b[0]);
	return 0;
}
