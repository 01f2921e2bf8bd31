/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that compilers make jumps of: by name and through a pointer.
 * expect: a 1/4 at main
 * expect: b 3/4 at main */
#include "kernel.h"

static ALONE void fill(double *to, long n) { *to = mix(*to, n * unit); }
static void (*volatile hook)(double *, long) = fill;

static ALONE void once(double *to) { fill(to, 1); }
static ALONE void by_hook(double *to) { hook(to, 3); }

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	double a = 1, b = 2;
	once(&a);
	by_hook(&b);
	printf("%g %g\n", a, b);
	return 0;
}
