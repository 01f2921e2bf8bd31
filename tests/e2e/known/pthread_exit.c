/* The initial thread ends before the other one, which goes on. */
/* build: -pthread */
/* run: 1 1 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 0 0 OLOSS_UNPAR 0.4 */
/* truth: 0 1 USEFUL 0.6 */
/* truth: 0 1 OLOSS_UNPAR 0.1 */
/* culprit: 0 1 OLOSS_UNPAR 0.4 goes_on */
/* culprit: 0 0 OLOSS_UNPAR 0.1 main */
/* advice: UNPAR_SERIAL work */
#include <pthread.h>
#include "known.h"

static void goes_on(void) { work(0.6); }

static void *other(void *unused)
{
	goes_on();
	return unused;
}

int main(void)
{
	pthread_t thread;
	work(0.1);
	pthread_create(&thread, NULL, other, NULL);
	work(0.2);
	pthread_exit(NULL);
}
