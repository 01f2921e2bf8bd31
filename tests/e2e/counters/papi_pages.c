/* papi_pages.c [MODE [x]] - regions that count page faults by the kernel's own events, in
 * many threads, or with no descriptor left. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "touch.h"
static void small(void)
{
#pragma sis cr small pmetric PAPI(perf::PAGE-FAULTS) begin
	touch(1000);
#pragma sis end cr
}
static void large(void)
{
#pragma sis cr large pmetric PAPI(perf::PAGE-FAULTS), PAPI(perf::CONTEXT-SWITCHES) begin
	touch(2000);
	small();
	for (int i = 0; i < 10; i++)
		usleep(1000);
#pragma sis end cr
}
static void *work(void *arg)
{
	small();
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	(void)argv;
	small();
	if (argc > 2) /* as many as there are */
		while (open("/dev/null", O_RDONLY) >= 0)
			;
	else if (argc > 1) /* many more than there are descriptors for */
		for (int i = 0; i < 200; i++) {
			pthread_create(&thread, NULL, work, NULL);
			pthread_join(thread, NULL);
		}
	large();
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	if (fork() == 0) {
		small();
		exit(0);
	}
	wait(NULL);
	return 0;
}
