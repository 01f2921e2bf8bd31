/* SPDX-License-Identifier: BSD-3-Clause */
/* spin.c - a library that uses the processor for a number of milliseconds. */
#include <time.h>
double spin(int ms)
{
	volatile double sum = 0;
	for (clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000); clock() < end;)
		for (int i = 0; i < 1000; i++)
			sum += i;
	return sum;
}
