/* SPDX-License-Identifier: BSD-3-Clause */
/* flags: -fopenmp. Tasks that called functions make, and that run elsewhere. They are many and
 * small, so that no thread has nothing to do: waiting in a loop has samples.
 * expect: a 3/8 at main
 * expect: b 1/8 at main
 * expect: c 4/8 at main */
#include "kernel.h"

static ALONE void leaf(double *to)
{
#pragma omp task
	*to = mix(*to, unit / 8);
}

static ALONE void three(double *to)
{
	for (int i = 0; i < 24; i++)
		leaf(&to[i]);
}

static ALONE void eight(double *to)
{
	for (int i = 0; i < 8; i++)
		leaf(&to[i]);
}

static ALONE double tree(int depth)
{
	double left, right;
	if (depth == 0)
		return mix(depth, unit / 8);
#pragma omp task shared(left)
	left = tree(depth - 1);
#pragma omp task shared(right)
	right = tree(depth - 1);
#pragma omp taskwait
	return left + right;
}

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	double a[24] = { 1 }, b[8] = { 2 }, c = 3;
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		three(a);
		eight(b);
		c = tree(5);
	}
	printf("%g %g %g\n", a[argc], b[argc], c);
	return 0;
}
