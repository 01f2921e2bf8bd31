/* SPDX-License-Identifier: BSD-3-Clause */
/* What only an output routine uses is in the row Output.
 * expect: Output 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

int main(int argc, char **argv)
{
	double b[1];
	kernel_begin(argc, argv);
	b[0] = mix(3, unit);
	printf("%g\n", mix(1, 3 * unit));
	return b[0] < 0;
}
