/* ends.c [HOW] - ends while another thread, or a team, is still running. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "work.h"
#ifdef _OPENMP
#include <omp.h>
#endif

static void *for_ever(void *x)
{
	for (;;)
		rest(100);
	return x;
}
static void team(const char *how)
{
#pragma omp parallel num_threads(2)
	{
		rest(100);
#pragma omp barrier
#pragma omp master
		{
			if (!strcmp(how, "exit"))
				exit(3);
			if (!strcmp(how, "_exit"))
				_exit(3);
			if (!strcmp(how, "quick_exit"))
				quick_exit(3);
			abort();
		}
		for (;;)
			rest(100);
	}
}
int main(int argc, char **argv)
{
	pthread_t thread;
	puts("out");
	fflush(stdout);
	if (argc > 1)
		team(argv[1]);
	pthread_create(&thread, NULL, for_ever, NULL);
	for (int i = 0; i < 3; i++)
		rest(100);
	return 3; /* with the thread in the midst of it */
}
