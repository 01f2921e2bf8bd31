/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of a union overlap.
 * expect: u 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

union number { double real; unsigned char bytes[8]; };

int main(int argc, char **argv)
{
	union number u;
	double b[1];
	kernel_begin(argc, argv);
	u.real = mix(1, 2 * unit);
	u.bytes[0] = (unsigned char)(mix(2, unit) * 100);
	b[0] = mix(3, unit);
	printf("%g %g\n", u.real, b[0]);
	return 0;
}
