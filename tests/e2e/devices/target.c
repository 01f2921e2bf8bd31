/* SPDX-License-Identifier: BSD-3-Clause */
/* target.c - target constructs, on devices or on the host. */
#include "work.h"

#include <omp.h>
#include <stdio.h>

#pragma omp declare target
static double scale = 2;
static double twice(double x) { return scale * x; }
#pragma omp end declare target

static double a[1000], sum;

static void prepare(void)
{
	rest(100);
	for (int i = 0; i < 1000; i++)
		a[i] = i;
}

static void one_kernel(void)
{
#pragma omp target map(tofrom : a, sum)
	{
		rest(200);
		for (int i = 0; i < 1000; i++)
			sum += a[i] = twice(a[i]);
	}
}

/* Several kernels use the data that is there. The second construct has a team on the device. */
static void stays_there(void)
{
#pragma omp target data map(tofrom : a)
	{
#pragma omp target
		rest(100);
#pragma omp target teams distribute parallel for num_teams(2)
		for (int i = 0; i < 1000; i++)
			a[i] += twice(i);
#pragma omp target update from(a)
	}
}

static void another_device(void)
{
	int other = omp_get_num_devices() > 1 ? 1 : omp_get_initial_device();
#pragma omp target device(other) map(tofrom : sum)
	{
		rest(50);
		sum = twice(sum);
	}
}

static void on_host(void)
{
#pragma omp target if (0)
	{
		rest(100);
		sum += 1;
	}
}

int main(void)
{
	prepare();
	one_kernel();
	stays_there();
	another_device();
	on_host();
#pragma omp parallel num_threads(2) reduction(+ : sum)
	sum += twice(1);
	printf("%g %g\n", sum, a[999]);
	return 0;
}
