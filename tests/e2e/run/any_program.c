/* SPDX-License-Identifier: BSD-3-Clause */
/* any_program.c - a program without probes that does what its arguments say, one after the other.
 * Work is counted in milliseconds of CPU time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_t early;

static void *sleep_early(void *unused)
{
	usleep(100000);
	return unused;
}

/* Libraries may create threads before main. */
__attribute__((constructor)) static void begin(void)
{
	if (getenv("EARLY"))
		pthread_create(&early, NULL, sleep_early, NULL);
}

static double cpu_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

__attribute__((noinline)) static void work(double ms)
{
	for (double end = cpu_ms() + ms; cpu_ms() < end;)
		;
}

/* Interrupts are frequent in malloc and in the dynamic linker. */
static void allocate(double ms, int opens)
{
	void *block[64] = { NULL };
	unsigned n = 0;
	for (double end = cpu_ms() + ms; cpu_ms() < end;) {
		for (unsigned i = 0; i < 64; i++, n++) {
			free(block[i]);
			block[i] = malloc(1 + (n * 7919 + i * 31) % 5000);
		}
		void *library = opens ? dlopen("libm.so.6", RTLD_NOW) : NULL;
		if (library && dlsym(library, "sin"))
			dlclose(library);
	}
	for (unsigned i = 0; i < 64; i++)
		free(block[i]);
}

static void *work_in_thread(void *ms)
{
	work(*(double *)ms);
	return NULL;
}

static void start_threads(double ms)
{
	pthread_t thread[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, work_in_thread, &ms);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
}

int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		const char *what = argv[i];
		double value = atof(argv[i + 1]);
		if (strcmp(what, "work") == 0)
			work(value);
		else if (strcmp(what, "sleep") == 0)
			usleep((useconds_t)(value * 1000));
		else if (strcmp(what, "malloc") == 0)
			allocate(value, 0);
		else if (strcmp(what, "dlopen") == 0)
			allocate(value, 1);
		else if (strcmp(what, "threads") == 0)
			start_threads(value);
		else if (strcmp(what, "print") == 0)
			printf("%s\n", argv[i + 1]), fprintf(stderr, "error %s\n", argv[i + 1]);
		else if (strcmp(what, "exit") == 0)
			exit((int)value);
		else if (strcmp(what, "_exit") == 0)
			_exit((int)value);
		else if (strcmp(what, "kill") == 0)
			kill(getpid(), (int)value);
		else if (strcmp(what, "child") == 0) { /* the rest is the child's */
			int status;
			pid_t child = fork();
			if (child == 0)
				continue;
			waitpid(child, &status, 0);
			return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
		} else if (strcmp(what, "exec") == 0) {
			execvp(argv[i + 1], argv + i + 1);
		} else if (strcmp(what, "join") == 0) {
			pthread_join(early, NULL);
		}
	}
	return 0;
}
