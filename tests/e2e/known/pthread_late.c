/* Threads that come late and go early: units are idle while the initial thread works alone, with
 * another, and while it waits for the only one that works. */
/* build: -pthread --sis-cr=CR_P,CR_F,CR_PTCREATE,CR_PTJOIN */
/* run: 1 1 */
/* truth: 0 0 USEFUL 0.8 */
/* truth: 0 0 OSYNC_PTJOIN 0.4 */
/* truth: 0 1 USEFUL 0.8 */
/* truth: 0 1 OLOSS_UNPAR 0.4 */
/* truth: 0 2 USEFUL 0.2 */
/* truth: 0 2 OLOSS_UNPAR 0.6 */
/* truth: 0 2 OLOSS_PART 0.4 */
/* culprit: 0 0 OLOSS_UNPAR 0.6 alone */
/* culprit: 0 0 OLOSS_UNPAR 0.2 afterwards */
/* culprit: 0 1 OLOSS_UNPAR 0.2 first */
/* culprit: 0 0 OLOSS_PART 0.2 beside */
/* culprit: 0 1 OLOSS_PART 0.2 first */
/* advice: UNPAR_SERIAL work */
/* advice: JOIN pthread_join */
#include <pthread.h>
#include "known.h"

static void *first(void *unused) { work(0.8); return unused; }
static void *second(void *unused) { work(0.2); return unused; }
static void alone(void) { work(0.3); }
static void beside(void) { work(0.4); }
static void afterwards(void) { work(0.1); }

int main(void)
{
	pthread_t one, two;
	alone();
	pthread_create(&one, NULL, first, NULL);
	beside();
	pthread_create(&two, NULL, second, NULL);
	pthread_join(two, NULL);
	pthread_join(one, NULL);
	afterwards();
	return 0;
}
