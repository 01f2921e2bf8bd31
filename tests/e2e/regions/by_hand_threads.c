/* by_hand_threads.c - regions and values by hand, in threads and in a forked child. */
#include <sis/sis.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	SIS_VALUE(v, 5);
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 1000; i++) {
		SIS_REGION(step);
		SIS_VALUE(v, i);
	}
	SIS_PAUSE();
#pragma omp parallel for
	for (int i = 0; i < 1000; i++) {
		SIS_REGION(step);
		SIS_VALUE(v, 7);
	}
	SIS_RESUME();
	if (fork() == 0) {
		SIS_VALUE(v, 1);
		SIS_VALUE(child, 1);
		exit(0);
	}
	wait(0);
	puts("done");
	return 0;
}
