/* The initial thread waits for the other one in calls with a time limit, by either clock. Some
 * calls refuse a wrong limit even if they would not have to wait. They do so with and without the
 * wrappers. */
/* build: -pthread --sis-cr=CR_P,CR_F,CR_PTCREATE,CR_PTJOIN,CR_PTMUTEX,CR_PTCOND */
/* run: 1 1 */
/* truth: 0 0 USEFUL 0.12 */
/* truth: 0 0 OSYNC_PTMUTEX 0.98 */
/* truth: 0 0 OSYNC_PTCOND 0.4 */
/* truth: 0 0 OSYNC_PTJOIN 0.2 */
/* truth: 0 1 USEFUL 1.5 */
/* truth: 0 1 OSYNC_PTCOND 0.2 */
/* nobody: 0.8 */
/* culprit: 0 1 OSYNC_PTMUTEX 0.2 locked */
/* culprit: 0 1 OSYNC_PTMUTEX 0.3 reads */
/* culprit: 0 1 OSYNC_PTMUTEX 0.2 writes */
/* culprit: 0 1 OSYNC_PTCOND 0.2 posts */
/* culprit: 0 1 OSYNC_PTJOIN 0.1 ends */
/* advice: MUTEX pthread_rwlock_timedwrlock */
/* advice: MUTEX pthread_mutex_clocklock */
/* advice: CONDITION sem_timedwait */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include "known.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, free_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t data = PTHREAD_RWLOCK_INITIALIZER, free_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t semaphore, never, free_semaphore;

static struct timespec in(clockid_t clock, double seconds)
{
	struct timespec t;
	clock_gettime(clock, &t);
	t.tv_nsec += (long)((seconds - (long)seconds) * 1e9);
	t.tv_sec += (long)seconds + t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void must(int code, int wanted)
{
	if (code != wanted)
		abort();
}

static void locked(void) { work(0.3); }
static void reads(void) { work(0.4); }
static void writes(void) { work(0.4); }
static void posts(void) { work(0.2); }
static void ends(void) { work(0.2); }

static void *other(void *unused)
{
	pthread_mutex_lock(&mutex);
	locked();
	pthread_mutex_unlock(&mutex);
	pthread_rwlock_rdlock(&data);
	reads();
	pthread_rwlock_unlock(&data);
	pthread_rwlock_wrlock(&data);
	writes();
	pthread_rwlock_unlock(&data);
	posts();
	sem_post(&semaphore);
	struct timespec until = in(CLOCK_REALTIME, 0.2);
	must(sem_timedwait(&never, &until), -1);
	ends();
	return unused;
}

static void wrong_limits(void)
{
	struct timespec wrong = { 0, -1 };
	must(sem_timedwait(&free_semaphore, &wrong), -1);
	must(errno, EINVAL);
	must(pthread_rwlock_timedrdlock(&free_lock, &wrong), EINVAL);
	must(pthread_rwlock_timedwrlock(&free_lock, &wrong), EINVAL);
	must(pthread_mutex_timedlock(&free_mutex, &wrong), 0);
}

int main(void)
{
	pthread_t thread;
	struct timespec soon;
	sem_init(&semaphore, 0, 0);
	sem_init(&never, 0, 0);
	sem_init(&free_semaphore, 0, 1);
	wrong_limits();
	pthread_create(&thread, NULL, other, NULL);
	work(0.1);
	soon = in(CLOCK_MONOTONIC, 10); /* 0.1 s after the start */
	must(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon), 0);
	pthread_mutex_unlock(&mutex);
	work(0.01); /* so that the other one reads */
	soon = in(CLOCK_REALTIME, 0.1);
	must(pthread_rwlock_timedwrlock(&data, &soon), ETIMEDOUT);
	soon = in(CLOCK_REALTIME, 10);
	must(pthread_rwlock_timedwrlock(&data, &soon), 0);
	pthread_rwlock_unlock(&data);
	work(0.01); /* and writes */
	soon = in(CLOCK_MONOTONIC, 0.2);
	must(pthread_rwlock_clockrdlock(&data, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
	soon = in(CLOCK_REALTIME, 10);
	must(pthread_rwlock_timedrdlock(&data, &soon), 0);
	pthread_rwlock_unlock(&data);
	soon = in(CLOCK_MONOTONIC, 10);
	must(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &soon), 0);
	pthread_mutex_lock(&mutex);
	soon = in(CLOCK_MONOTONIC, 0.2);
	must(pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
	pthread_mutex_unlock(&mutex);
	soon = in(CLOCK_MONOTONIC, 0.1);
	must(pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
	pthread_join(thread, NULL);
	return 0;
}
