/* Three pools of threads, one after the other in the same units: each time some end earlier than
 * others. */
/* build: -pthread */
/* run: 1 1 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 0 0 OSYNC_PTJOIN 0.9 */
/* truth: 0 1 USEFUL 0.3 */
/* truth: 0 1 OLOSS_PART 0.3 */
/* truth: 0 1 OLOSS_UNPAR 0.4 */
/* truth: 0 2 USEFUL 0.6 */
/* truth: 0 2 OLOSS_UNPAR 0.4 */
/* truth: 0 3 USEFUL 0.9 */
/* truth: 0 3 OLOSS_UNPAR 0.1 */
/* culprit: 0 2 OLOSS_PART 0.15 member */
/* culprit: 0 3 OLOSS_PART 0.15 member */
/* culprit: 0 3 OLOSS_UNPAR 0.6 member */
/* culprit: 0 0 OLOSS_UNPAR 0.3 main */
/* advice: JOIN main */
/* advice: UNPAR_SERIAL work */
/* advice: PART_THREADS work */
#include <pthread.h>
#include <semaphore.h>
#include "known.h"

static sem_t there; /* so that their units are in this order */

static void *member(void *number)
{
	sem_post(&there);
	work(0.1 * *(const int *)number);
	return number;
}

int main(void)
{
	static int number[] = { 1, 2, 3 };
	sem_init(&there, 0, 0);
	for (int round = 0; round < 3; round++) {
		pthread_t thread[3];
		for (int i = 0; i < 3; i++) {
			pthread_create(&thread[i], NULL, member, &number[i]);
			sem_wait(&there);
		}
		for (int i = 0; i < 3; i++)
			pthread_join(thread[i], NULL);
	}
	work(0.1);
	return 0;
}
