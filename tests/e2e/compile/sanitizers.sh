# SPDX-License-Identifier: BSD-3-Clause
# Programs that a sanitizer looks at: it finds nothing of ours in them, and they are measured all the same.
. "$(dirname "$0")/../lib.sh"

source_file threads.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static sem_t posted;
static int running;
static long sum;

static void deeper(int depth, const int *p)
{
	if (depth > 0) {
		deeper(depth - 1, p);
		return;
	}
	pthread_mutex_lock(&lock);
	sum += *p;
	pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
	for (int i = 0; i < 200; i++) {
		int *p = malloc(sizeof *p);
		*p = 1;
		deeper(i % 7, p);
		free(p);
	}
	pthread_mutex_lock(&lock);
	running--;
	pthread_cond_signal(&ended);
	pthread_mutex_unlock(&lock);
	sem_post(&posted);
	return arg;
}

int main(void)
{
	sem_init(&posted, 0, 0);
	for (int round = 0; round < 20; round++) { /* so that threads take over what others left */
		pthread_t thread[3];
		running = 3;
		for (int i = 0; i < 3; i++)
			pthread_create(&thread[i], NULL, work, NULL);
		pthread_mutex_lock(&lock);
		while (running)
			pthread_cond_wait(&ended, &lock);
		pthread_mutex_unlock(&lock);
		for (int i = 0; i < 3; i++) {
			sem_wait(&posted);
			pthread_join(thread[i], NULL);
		}
	}
	printf("%ld\n", sum);
	return 0;
}
END
# Without MPI: UCX, which is behind it here, has handlers of its own in threads that end, and the thread sanitizer does not survive these.
SISC_CC=gcc
export SISC_CC
for sanitizer in thread address undefined leak; do
	build "$sanitizer" threads.c -O1 -g -pthread -fsanitize=$sanitizer --sis-cr=CR_F,CR_L,CR_A,CR_P
	for trace in 0 1; do
		SIS_TRACE=$trace run_alone 1 "./$sanitizer"
		equal "$sanitizer, trace $trace: ends, and says what it says" "$run_status $(cat run.out) $(head -n 3 run.err)" "0 12000 "
		equal "$sanitizer, trace $trace: is measured" "$(query '[.[] | select(.region == "work") | .calls] | add' regions "$EXP")" 60
	done
done
