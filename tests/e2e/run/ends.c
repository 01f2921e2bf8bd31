/* ends.c [HOW] - ends while another thread, or a team, is still running. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif
static void rest(void)
{
	struct timespec t = { 0, 100000000 };
	nanosleep(&t, NULL);
}
static void *for_ever(void *x)
{
	for (;;)
		rest();
	return x;
}
static void team(const char *how)
{
#pragma omp parallel num_threads(2)
	{
		rest();
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
			rest();
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
		rest();
	return 3; /* with the thread in the midst of it */
}
