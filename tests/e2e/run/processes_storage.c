/* processes_storage.c - destructors of thread-specific data that set it again. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
static pthread_key_t key, silent;
static int rounds;
static void round_of(intptr_t n) { rounds += n > 0; }
static void again(void *n)
{
	round_of((intptr_t)n);
	if ((intptr_t)n > 1)
		pthread_setspecific(key, (void *)((intptr_t)n - 1));
}
static void last(void *n)
{
	if ((intptr_t)n > 1)
		pthread_setspecific(silent, (void *)((intptr_t)n - 1));
	else
		round_of(1);
}
static void *store(void *n)
{
	pthread_setspecific(key, n);
	pthread_setspecific(silent, n);
	return NULL;
}
int main(void)
{
	pthread_t thread;
	pthread_key_create(&key, again);
	pthread_key_create(&silent, last);
	for (intptr_t i = 0; i < 9; i++) {
		pthread_create(&thread, NULL, store, (void *)(1 + i % 3));
		pthread_join(thread, NULL);
	}
	printf("%d\n", rounds);
	return 0;
}
