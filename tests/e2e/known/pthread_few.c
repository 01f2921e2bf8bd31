/* Three threads of which one ends early: it is idle while two work, and after that while one
 * does. */
/* build: -pthread --sis-cr=CR_P,CR_F,CR_PTCREATE,CR_PTJOIN */
/* run: 1 1 */
/* truth: 0 0 OSYNC_PTJOIN 0.7 */
/* truth: 0 1 USEFUL 0.5 */
/* truth: 0 1 OLOSS_UNPAR 0.2 */
/* truth: 0 2 USEFUL 0.7 */
/* truth: 0 3 USEFUL 0.1 */
/* truth: 0 3 OLOSS_PART 0.4 */
/* truth: 0 3 OLOSS_UNPAR 0.2 */
/* culprit: 0 1 OLOSS_PART 0.2 shorter */
/* culprit: 0 2 OLOSS_PART 0.2 longer */
/* culprit: 0 2 OLOSS_UNPAR 0.4 longer */
/* culprit: 0 1 OSYNC_PTJOIN 0.5 shorter */
/* culprit: 0 2 OSYNC_PTJOIN 0.2 longer */
/* advice: JOIN pthread_join */
/* advice: UNPAR_SERIAL work */
/* advice: PART_THREADS work */
#include <pthread.h>
#include <semaphore.h>
#include "known.h"

static sem_t there; /* so that their units are in the order of their names */

static void *shorter(void *unused) { sem_post(&there); work(0.5); return unused; }
static void *longer(void *unused) { sem_post(&there); work(0.7); return unused; }
static void *early(void *unused) { sem_post(&there); work(0.1); return unused; }

int main(void)
{
	static void *(*const what[])(void *) = { shorter, longer, early };
	pthread_t thread[3];
	sem_init(&there, 0, 0);
	for (int i = 0; i < 3; i++) {
		pthread_create(&thread[i], NULL, what[i], NULL);
		sem_wait(&there);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
