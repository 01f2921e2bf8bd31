/* The initial thread waits for the other one at a mutex, a condition, a semaphore, a barrier, and
 * for its end. */
/* build: -pthread --sis-cr=CR_P,CR_F,CR_PTCREATE,CR_PTJOIN,CR_PTMUTEX,CR_PTCOND */
/* run: 1 1 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 0 0 OSYNC_PTMUTEX 0.2 */
/* truth: 0 0 OSYNC_PTCOND 0.6 */
/* truth: 0 0 OSYNC_PTJOIN 0.35 */
/* truth: 0 1 USEFUL 1.25 */
/* culprit: 0 1 OSYNC_PTMUTEX 0.2 hold */
/* culprit: 0 1 OSYNC_PTCOND 0.2 signal_late */
/* culprit: 0 1 OSYNC_PTCOND 0.25 post_late */
/* culprit: 0 1 OSYNC_PTCOND 0.15 come_late */
/* culprit: 0 1 OSYNC_PTJOIN 0.35 end_late */
/* advice: JOIN pthread_join */
/* advice: CONDITION sem_wait */
/* advice: MUTEX pthread_mutex_lock */
#include <pthread.h>
#include <semaphore.h>
#include "known.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int ready;

static void hold(void) { work(0.3); }
static void signal_late(void) { work(0.2); }
static void post_late(void) { work(0.25); }
static void come_late(void) { work(0.15); }
static void end_late(void) { work(0.35); }

static void *other(void *unused)
{
	pthread_mutex_lock(&mutex);
	hold();
	pthread_mutex_unlock(&mutex);
	signal_late();
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
	post_late();
	sem_post(&semaphore);
	come_late();
	pthread_barrier_wait(&barrier);
	end_late();
	return unused;
}

int main(void)
{
	pthread_t thread;
	sem_init(&semaphore, 0, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, other, NULL);
	work(0.1);
	pthread_mutex_lock(&mutex);
	while (!ready)
		pthread_cond_wait(&cond, &mutex);
	pthread_mutex_unlock(&mutex);
	sem_wait(&semaphore);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	return 0;
}
