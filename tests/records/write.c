/* write.c PAIRS - two threads with PAIRS activations each, of two regions in turn. */
#include <pthread.h>
#include <stdlib.h>

static long pairs;

static void *work(void *unused)
{
	for (long i = 0; i < pairs; i += 2) {
#pragma sis cr even begin
		__asm__ volatile("" ::: "memory");
#pragma sis end cr
#pragma sis cr odd begin
		__asm__ volatile("" ::: "memory");
#pragma sis end cr
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t other;
	pairs = argc > 1 ? atol(argv[1]) : 0;
	if (pthread_create(&other, NULL, work, NULL) != 0)
		return 1;
	work(NULL);
	return pthread_join(other, NULL);
}
