/* The initial thread gives parts to threads and waits for their end; the last part is longest. */
/* build: -pthread */
/* run: 1 2 */
/* run: 1 4 */
/* fault: long_part */
/* remedy: JOIN UNPAR_SERIAL UNPAR_TEAM PART_THREADS */
#include <pthread.h>
#include <semaphore.h>
#include "own_log.h"

static sem_t there;
static int threads;

static void short_part(void) { compute(0.03); }
static void long_part(void) { compute(0.15); }

static void *part(void *slot)
{
	own_unit((long)slot);
	own_live();
	sem_post(&there);
	if ((long)slot == threads - 1)
		long_part();
	else
		short_part();
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
	for (int round = 0; round < 4; round++) {
		for (long i = 1; i < threads; i++) {
			pthread_create(&thread[i], NULL, part, (void *)i);
			sem_wait(&there);
		}
		short_part();
		for (int i = 1; i < threads; i++) {
			own_until("end", i, 0);
			pthread_join(thread[i], NULL);
			own_done();
		}
	}
	own_end();
	return 0;
}
