/* memory.c - what the measurement needs: memory wide N (2 to the power of N + 1 nodes), deep N (a
 * recursion), idle (threads that did one thing each; prints bytes of memory for each). The first
 * two print what they computed. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int right(int n);
static int left(int n) { return n ? 1 + left(n - 1) + right(n - 1) : 0; }
static int right(int n) { return n ? 1 + left(n - 1) + right(n - 1) : 0; }
static int down(int n) { return n ? 1 + down(n - 1) : 0; }

enum { THREADS = 200 };
static pthread_barrier_t all;

static int once(int n)
{
	/* as often as it is asked to: no function that is over at once */
	for (int i = n; i < 9; i++)
		n ^= i;
	return n;
}

static void *idle(void *unused)
{
	once(1);
	pthread_barrier_wait(&all);
	pthread_barrier_wait(&all);
	return unused;
}

static long resident(void)
{
	char line[200];
	long kib = 0;
	FILE *file = fopen("/proc/self/status", "r");
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "VmRSS: %ld", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return kib;
}

static void threads(void)
{
	pthread_t thread[THREADS];
	long before = resident();
	pthread_barrier_init(&all, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, idle, NULL) != 0)
			exit(1);
	pthread_barrier_wait(&all);
	printf("%ld\n", (resident() - before) * 1024 / THREADS);
	pthread_barrier_wait(&all);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0;
	if (argc > 1 && strcmp(argv[1], "idle") == 0)
		threads();
	else if (argc > 2) {
		int reached = argv[1][0] == 'd' ? down(n) : left(n);
		printf("%d\n", reached);
	}
	return argc < 2;
}
