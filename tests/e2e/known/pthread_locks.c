/* The initial thread waits for the other one to have read, to let go of a spin lock, and to have
 * written. */
/* build: -pthread */
/* run: 1 1 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 0 0 OSYNC_PTMUTEX 0.6 */
/* truth: 0 0 OSYNC_PTJOIN 0 */
/* truth: 0 1 USEFUL 0.9 */
/* culprit: 0 1 OSYNC_PTMUTEX 0.2 reads */
/* culprit: 0 1 OSYNC_PTMUTEX 0.2 spins */
/* culprit: 0 1 OSYNC_PTMUTEX 0.2 writes */
/* advice: MUTEX main */
#include <pthread.h>
#include "known.h"

static pthread_rwlock_t data = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;

static void reads(void) { work(0.3); }
static void spins(void) { work(0.3); }
static void writes(void) { work(0.3); }

static void *other(void *unused)
{
	pthread_rwlock_rdlock(&data);
	reads();
	pthread_rwlock_unlock(&data);
	pthread_spin_lock(&spin);
	spins();
	pthread_spin_unlock(&spin);
	pthread_rwlock_wrlock(&data);
	writes();
	pthread_rwlock_unlock(&data);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&thread, NULL, other, NULL);
	work(0.1);
	pthread_rwlock_wrlock(&data);
	pthread_rwlock_unlock(&data);
	work(0.1);
	pthread_spin_lock(&spin);
	pthread_spin_unlock(&spin);
	work(0.1);
	pthread_rwlock_rdlock(&data);
	pthread_rwlock_unlock(&data);
	pthread_join(thread, NULL);
	return 0;
}
