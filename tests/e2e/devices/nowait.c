/* SPDX-License-Identifier: BSD-3-Clause */
/* nowait.c - target constructs that need not be waited for. In each function, a device executes a
 * kernel of 200 ms:
 *
 *   at_taskwait     the thread works for 50 ms and waits for 150 ms
 *   at_barrier      both threads wait for 200 ms, at the end of the single
 *   at_join         both threads wait for 200 ms, at the end of the team
 *   at_depend       the thread waits for 200 ms before it executes another construct: 100 ms
 *   behind_a_task   one thread waits for a second for a task of the other, not for the device
 */
#include "work.h"

#include <stdio.h>

static int a[1000];

static void prepare(void)
{
#pragma omp target nowait
	;
#pragma omp taskwait
}

static void at_taskwait(void)
{
#pragma omp target nowait map(tofrom : a)
	{
		rest(200);
		a[1]++;
	}
	rest(50);
#pragma omp taskwait
}

static void at_barrier(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp target nowait map(tofrom : a)
	{
		rest(200);
		a[1]++;
	}
}

static void at_join(void)
{
#pragma omp parallel num_threads(2)
#pragma omp masked
#pragma omp target nowait map(tofrom : a)
	{
		rest(200);
		a[1]++;
	}
}

static void at_depend(void)
{
#pragma omp target nowait map(tofrom : a) depend(out : a)
	{
		rest(200);
		a[1]++;
	}
#pragma omp target map(tofrom : a) depend(in : a)
	{
		rest(100);
		a[1]++;
	}
}

static void behind_a_task(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp target nowait map(tofrom : a)
		{
			rest(200);
			a[1]++;
		}
#pragma omp task
		rest(1000);
	}
}

int main(void)
{
	prepare();
	at_taskwait();
	at_barrier();
	at_join();
	at_depend();
	behind_a_task();
	printf("%d\n", a[1]);
	return 0;
}
