/* SPDX-License-Identifier: BSD-3-Clause */
/* setjmp and longjmp.
 * expect: a 3/4 at main
 * expect: b 1/4 at main */
#include <setjmp.h>

#include "kernel.h"

static jmp_buf start;
static double a[2], b[2];

static ALONE void first(void)
{
	a[0] = mix(1, 3 * unit);
	longjmp(start, 1);
}

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	if (!setjmp(start))
		first();
	else
		b[0] = mix(2, unit);
	printf("%g %g\n", a[0], b[0]);
	return 0;
}
