/* Threads hold a mutex while they format what they append to a journal. */
/* build: -pthread */
/* run: 1 2 */
/* run: 1 4 */
/* fault: format_entry */
/* remedy: MUTEX */
#include <pthread.h>
#include <semaphore.h>
#include "own_log.h"

static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static sem_t there;
static int threads;

static void transaction(void) { compute(0.01); }
static void format_entry(void) { compute(0.03); }

static void transactions(void)
{
	for (int i = 0; i < 20 / threads; i++) {
		transaction();
		own_lock("journal", 0, 0);
		pthread_mutex_lock(&journal);
		own_done();
		own_hold("journal", 0, 0);
		format_entry();
		own_done();
		pthread_mutex_unlock(&journal);
	}
}

static void *client(void *slot)
{
	own_unit((long)slot);
	own_live();
	sem_post(&there);
	transactions();
	own_release("end", (long)slot, 0);
	own_done();
	return NULL;
}

int main(void)
{
	pthread_t thread[8];
	threads = atoi(getenv("OMP_NUM_THREADS"));
	own_start(0);
	sem_init(&there, 0, 0);
	for (long i = 1; i < threads; i++) {
		pthread_create(&thread[i], NULL, client, (void *)i);
		sem_wait(&there);
	}
	transactions();
	for (int i = 1; i < threads; i++) {
		own_until("end", i, 0);
		pthread_join(thread[i], NULL);
		own_done();
	}
	own_end();
	return 0;
}
