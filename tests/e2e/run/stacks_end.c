/* stacks_end.c - the process ends while the sampler of SIS_BLAME is within a look.
 *
 * The sampler has one processor with a thread that spins, and only the time that this thread leaves
 * (SCHED_IDLE). So it is most likely without a processor, and within a look, when the samples end.
 * Then the thread ends, and the sampler goes on: the process still writes its output, for which a
 * pipe has no room. */
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile bool ends;
static volatile double sink;

static void pin(int tid, int policy)
{
	const struct sched_param none = { 0 };
	cpu_set_t first;
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(tid, sizeof first, &first);
	sched_setscheduler(tid, policy, &none);
}

static void work(int rounds)
{
	for (int k = 0; k < rounds; k++)
		sink += k * 0.5;
}

static long ms_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void *spin(void *unused)
{
	long until = 0;
	pin(0, SCHED_OTHER);
	while (until == 0 || ms_now() < until) {
		work(1000);
		if (ends && until == 0)
			until = ms_now() + 60;
	}
	return unused;
}

static void *wait_often(void *unused)
{
	const struct timespec pause = { 0, 200000 };
	for (;;) {
		work(20000);
		nanosleep(&pause, NULL);
	}
	return unused;
}

static bool is_sampler(const char *tid)
{
	char path[300], name[32] = "";
	snprintf(path, sizeof path, "/proc/self/task/%s/comm", tid);
	FILE *file = fopen(path, "r");
	if (file && !fgets(name, sizeof name, file))
		name[0] = '\0';
	if (file)
		fclose(file);
	return strcmp(name, "sis-sampler\n") == 0;
}

static int slow_down_sampler(void)
{
	int found = 0;
	DIR *all = opendir("/proc/self/task");
	for (struct dirent *task; all && (task = readdir(all));)
		if (is_sampler(task->d_name)) {
			pin(atoi(task->d_name), SCHED_IDLE);
			found++;
		}
	if (all)
		closedir(all);
	return found;
}

int main(void)
{
	enum { OUTPUT = 200000, BUFFER = 1 << 20 };
	static char buffer[BUFFER];
	pthread_t thread;
	setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
	for (int i = 0; i < OUTPUT; i++)
		putchar('x');
	for (int i = 0; i < 4; i++)
		if (pthread_create(&thread, NULL, wait_often, NULL) != 0)
			abort();
	if (slow_down_sampler() != 1)
		fprintf(stderr, "there is no sampler\n");
	usleep(50000);
	if (pthread_create(&thread, NULL, spin, NULL) != 0)
		abort();
	usleep(50000);
	ends = true;
	return 0;
}
