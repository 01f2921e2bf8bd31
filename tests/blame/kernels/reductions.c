/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums in a loop.
 * expect: sum 3/4 at main
 * expect: largest 1/4 at main */
#include "kernel.h"

int main(int argc, char **argv)
{
	double sum = 0, largest = 0;
	kernel_begin(argc, argv);
	for (int i = 0; i < 6; i++)
		sum += mix(i, unit / 2);
	for (int i = 0; i < 4; i++) {
		double value = mix(i, unit / 4);
		largest = value > largest ? value : largest;
	}
	printf("%g %g\n", sum, largest);
	return 0;
}
