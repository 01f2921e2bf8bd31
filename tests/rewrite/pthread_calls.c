/* flags: -pthread --sis-cr=CR_F,CR_PTCREATE,CR_PTJOIN,CR_PTMUTEX,CR_PTCOND,CR_ALLOC,CR_MEM */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
static void *work(void *n)
{
	pthread_mutex_lock(&lock);
	total += *(int *)n;
	pthread_mutex_unlock(&lock);
	pthread_exit(n);
}
int main(void)
{
	pthread_t thread[2];
	int *n = malloc(2 * sizeof *n), m[2] = { 3, 4 };
	memcpy(n, m, sizeof m);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, work, &n[i])) return 1;
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	free(n);
	printf("%d\n", total);
	return 0;
}
