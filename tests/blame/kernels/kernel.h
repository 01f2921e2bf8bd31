/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel.h - the work of all kernels: one loop, so that equal counts are equal times, whatever the
 * compiler and its options. */
#ifndef SIS_TEST_BLAME_KERNEL_H
#define SIS_TEST_BLAME_KERNEL_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __GNUC__ && !defined __clang__
#define ALONE __attribute__((noipa))
#else
#define ALONE __attribute__((noinline))
#endif

/* Iterations that count as 1 in the kernel's comment. */
static volatile long unit = 1000000;

static ALONE double mix(double x, long n)
{
	for (long i = 0; i < n; i++)
		x = x * 0.999999 + 1e-6;
	return x;
}

static inline void kernel_begin(int argc, char **argv)
{
	if (argc > 1)
		unit = atol(argv[1]);
}

#endif
