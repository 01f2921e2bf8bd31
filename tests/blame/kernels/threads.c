/* SPDX-License-Identifier: BSD-3-Clause */
/* flags: -pthread. Threads work for the function that creates them: through their argument, a
 * global, or the value that pthread_join returns. A thread creates another one.
 * expect: near 2/8 at main
 * expect: far 1/8 at main
 * expect: shared 3/8 at main
 * expect: last 2/8 at main */
#include "kernel.h"
#include <pthread.h>

struct job { double result; long iterations; };
static double shared;

static void *run(void *argument)
{
	struct job *job = argument;
	job->result = mix(1, job->iterations);
	return NULL;
}

static void *add(void *argument)
{
	shared = mix(2, *(long *)argument);
	return NULL;
}

static void *give(void *argument)
{
	double *result = malloc(sizeof *result);
	*result = mix(3, *(long *)argument);
	return result;
}

static void *pass(void *argument)
{
	pthread_t inner;
	pthread_create(&inner, NULL, run, argument);
	pthread_join(inner, NULL);
	return NULL;
}

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	struct job near = { 0, 2 * unit }, far = { 0, unit };
	long three = 3 * unit, two = 2 * unit;
	pthread_t thread[3], giver;
	void *last;
	pthread_create(&thread[0], NULL, run, &near);
	pthread_create(&thread[1], NULL, pass, &far);
	pthread_create(&thread[2], NULL, add, &three);
	pthread_create(&giver, NULL, give, &two);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	pthread_join(giver, &last);
	printf("%g %g %g %g\n", near.result, far.result, shared, *(double *)last);
	return 0;
}
