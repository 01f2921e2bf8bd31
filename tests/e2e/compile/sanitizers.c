/* sanitizers.c - threads that come and go, with a mutex, a condition variable and a semaphore. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static sem_t posted;
static int running;
static long sum;

static void deeper(int depth, const int *p)
{
	if (depth > 0) {
		deeper(depth - 1, p);
		return;
	}
	pthread_mutex_lock(&lock);
	sum += *p;
	pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
	for (int i = 0; i < 200; i++) {
		int *p = malloc(sizeof *p);
		*p = 1;
		deeper(i % 7, p);
		free(p);
	}
	pthread_mutex_lock(&lock);
	running--;
	pthread_cond_signal(&ended);
	pthread_mutex_unlock(&lock);
	sem_post(&posted);
	return arg;
}

int main(void)
{
	sem_init(&posted, 0, 0);
	for (int round = 0; round < 20; round++) { /* so that threads take over what others left */
		pthread_t thread[3];
		running = 3;
		for (int i = 0; i < 3; i++)
			pthread_create(&thread[i], NULL, work, NULL);
		pthread_mutex_lock(&lock);
		while (running)
			pthread_cond_wait(&ended, &lock);
		pthread_mutex_unlock(&lock);
		for (int i = 0; i < 3; i++) {
			sem_wait(&posted);
			pthread_join(thread[i], NULL);
		}
	}
	printf("%ld\n", sum);
	return 0;
}
