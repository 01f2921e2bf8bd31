/* Threads of C11: the initial one waits for the other one at a mutex, a condition, and for its
 * end. */
/* build: -pthread */
/* run: 1 1 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 0 0 OSYNC_PTMUTEX 0.2 */
/* truth: 0 0 OSYNC_PTCOND 0.2 */
/* truth: 0 0 OSYNC_PTJOIN 0.35 */
/* truth: 0 1 USEFUL 0.85 */
/* culprit: 0 1 OSYNC_PTMUTEX 0.2 hold */
/* culprit: 0 1 OSYNC_PTCOND 0.2 signal_late */
/* culprit: 0 1 OSYNC_PTJOIN 0.35 end_late */
/* advice: JOIN main */
/* advice: CONDITION main */
/* advice: MUTEX main */
#include <threads.h>
#include "known.h"

static mtx_t mutex;
static cnd_t cond;
static int ready;

static void hold(void) { work(0.3); }
static void signal_late(void) { work(0.2); }
static void end_late(void) { work(0.35); }

static int other(void *unused)
{
	(void)unused;
	mtx_lock(&mutex);
	hold();
	mtx_unlock(&mutex);
	signal_late();
	mtx_lock(&mutex);
	ready = 1;
	cnd_signal(&cond);
	mtx_unlock(&mutex);
	end_late();
	return 7;
}

int main(void)
{
	thrd_t thread;
	int result;
	mtx_init(&mutex, mtx_plain);
	cnd_init(&cond);
	thrd_create(&thread, other, NULL);
	work(0.1);
	mtx_lock(&mutex);
	while (!ready)
		cnd_wait(&cond, &mutex);
	mtx_unlock(&mutex);
	thrd_join(thread, &result);
	return result != 7;
}
