/* SPDX-License-Identifier: BSD-3-Clause */
/* kinds_small.c - the functions that kinds_work.c calls, in a file of their own: the compiler does
 * not inline them, and sisc does not know what they cost. */
#include "kinds.h"

int compare_keys(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;
	return (x > y) - (x < y);
}

double interpolate(double x, double x0, double x1, double y0, double y1)
{
	return y0 + (x - x0) / (x1 - x0) * (y1 - y0);
}

double point(const double *row, long width)
{
	return 0.25 * (row[-1] + row[1] + row[-width] + row[width]);
}

double force(double squared)
{
	double inverse = 1 / squared, six = inverse * inverse * inverse;
	return six * (six - 0.5) * inverse;
}

unsigned long next_random(unsigned long *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}
