/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that return structures.
 * expect: s 3/4 at main
 * expect: t 1/4 at main */
#include "kernel.h"

struct large { double value[8]; };

static ALONE struct large make(long n)
{
	struct large result = { { 0 } };
	for (int i = 0; i < 8; i++)
		result.value[i] = mix(i, n / 8);
	return result;
}

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	struct large s = make(3 * unit), t = make(unit);
	printf("%g %g\n", s.value[argc], t.value[argc]);
	return 0;
}
