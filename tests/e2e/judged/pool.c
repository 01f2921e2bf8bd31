/* A pool of threads that wait at a condition for jobs, which the initial thread prepares slowly. */
/* build: -pthread */
/* run: 1 2 */
/* run: 1 4 */
/* fault: prepare_job */
/* remedy: CONDITION UNPAR_SERIAL UNPAR_TEAM PART_THREADS */
#include <pthread.h>
#include <semaphore.h>
#include "own_log.h"

enum { JOBS = 14 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int made, taken;
static sem_t there;

static void prepare_job(void) { compute(0.04); }
static void run_job(void) { compute(0.015); }

/* take: the next job, or JOBS if there will be no more */
static int take(void)
{
	pthread_mutex_lock(&mutex);
	int job = taken < JOBS ? taken++ : JOBS;
	if (job < JOBS) {
		own_until("job", job, 0);
		while (made <= job)
			pthread_cond_wait(&cond, &mutex);
		own_done();
	}
	pthread_mutex_unlock(&mutex);
	return job;
}

static void *member(void *slot)
{
	own_unit((long)slot);
	own_live();
	sem_post(&there);
	while (take() < JOBS)
		run_job();
	own_release("end", (long)slot, 0);
	own_done();
	return NULL;
}

int main(void)
{
	int members = atoi(getenv("OMP_NUM_THREADS")) - 1;
	pthread_t thread[8];
	own_start(0);
	sem_init(&there, 0, 0);
	for (long i = 0; i < members; i++) {
		pthread_create(&thread[i], NULL, member, (void *)(i + 1));
		sem_wait(&there);
	}
	for (int job = 0; job < JOBS; job++) {
		prepare_job();
		pthread_mutex_lock(&mutex);
		own_release("job", job, 0);
		made = job + 1;
		pthread_cond_broadcast(&cond);
		pthread_mutex_unlock(&mutex);
	}
	for (int i = 0; i < members; i++) {
		own_until("end", i + 1, 0);
		pthread_join(thread[i], NULL);
		own_done();
	}
	own_end();
	return 0;
}
