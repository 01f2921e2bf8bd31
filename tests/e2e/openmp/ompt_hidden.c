/* A target construct that need not be waited for: libomp has it executed by threads of its own. And
 * threads of the program that each fork. */
#include <pthread.h>
#include <stdio.h>

static int twice(int k) { return 2 * k; }

static void *forks(void *sum)
{
	int s = 0;
	for (int i = 0; i < 20; i++)
#pragma omp parallel num_threads(2) reduction(+ : s)
#pragma omp single
#pragma omp task shared(s)
		s += twice(1);
	*(int *)sum = s;
	return NULL;
}

int main(int argc, char **argv)
{
	int x[3] = { 0 };
	pthread_t thread[3];
	if (argc > 1 && argv[1][0] == 't') {
#pragma omp parallel num_threads(2)
#pragma omp single
		for (int i = 0; i < 3; i++)
#pragma omp target nowait map(tofrom : x[i : 1])
			x[i] = twice(i);
	} else {
		for (int i = 0; i < 3; i++)
			pthread_create(&thread[i], NULL, forks, &x[i]);
		for (int i = 0; i < 3; i++)
			pthread_join(thread[i], NULL);
	}
	printf("%d %d %d\n", x[0], x[1], x[2]);
	return 0;
}
