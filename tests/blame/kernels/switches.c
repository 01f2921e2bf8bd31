/* SPDX-License-Identifier: BSD-3-Clause */
/* The work for the condition of a switch counts for what its cases write.
 * expect: a 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

int main(int argc, char **argv)
{
	double a[1] = { 0 }, b[1];
	kernel_begin(argc, argv);
	switch ((int)(mix(1, 3 * unit) * 4)) {
	case 3: a[0] = 11; break;
	case 4: a[0] = 13; break;
	default: a[0] = 17;
	}
	b[0] = mix(2, unit);
	printf("%g %g\n", a[0], b[0]);
	return 0;
}
