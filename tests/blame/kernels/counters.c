/* SPDX-License-Identifier: BSD-3-Clause */
/* The condition of do and while counts for what the body writes.
 * expect: a 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

int main(int argc, char **argv)
{
	double a[4] = { 0 }, b[1];
	int count = 0;
	kernel_begin(argc, argv);
	do {
		a[count] = count;
		count++;
	} while (mix(count, unit) > 0 && count < 3);
	b[0] = mix(2, unit);
	printf("%g %g\n", a[1], b[0]);
	return 0;
}
