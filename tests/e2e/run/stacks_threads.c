/* Threads for stacks_threads.sh: stacks_threads WHAT. */
#define _GNU_SOURCE
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { MAKERS = 4, EACH = 200 };
static volatile double sink;

static double now(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static __attribute__((noinline)) void spin(double seconds)
{
	for (double end = now(CLOCK_THREAD_CPUTIME_ID) + seconds;
	     now(CLOCK_THREAD_CPUTIME_ID) < end;)
		for (int i = 0; i < 1000; i++)
			sink += i;
}

/* Its own frames, those of libc, and no other. */
static __attribute__((noinline)) int depth(void)
{
	void *frame[64];
	return backtrace(frame, 64);
}

static void *work(void *argument)
{
	printf("depth %d, argument %s\n", depth(), (char *)argument);
	spin(0.2);
	return (char *)argument + 1;
}

static int work_c11(void *argument)
{
	printf("depth %d, argument %s\n", depth(), (char *)argument);
	spin(0.2);
	thrd_exit(7);
}

static __attribute__((noinline)) void make(void)
{
	pthread_t thread;
	void *result;
	if (pthread_create(&thread, NULL, work, "abc") || pthread_join(thread, &result))
		exit(1);
	printf("result %s\n", (char *)result);
}

static __attribute__((noinline)) void make_c11(void)
{
	thrd_t thread;
	int result;
	if (thrd_create(&thread, work_c11, "def") != thrd_success ||
	    thrd_join(thread, &result) != thrd_success)
		exit(1);
	printf("result %d\n", result);
}

static void *outer(void *argument)
{
	make();
	return argument;
}

static void nest(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, outer, NULL) || pthread_join(thread, NULL))
		exit(1);
}

/* A stack larger than the address space. */
static void refused(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, (size_t)1 << 60);
	int failed = 0;
	for (int i = 0; i < 300; i++)
		failed += pthread_create(&thread, &attributes, work, "none") != 0;
	printf("refused %d\n", failed);
}

static void *add(void *to)
{
	__atomic_add_fetch((long *)to, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void *make_many(void *to)
{
	for (int i = 0; i < EACH; i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, add, to) == 0)
			pthread_join(thread, NULL);
	}
	return NULL;
}

static void many(void)
{
	pthread_t maker[MAKERS];
	long sum = 0;
	for (int i = 0; i < MAKERS; i++)
		pthread_create(&maker[i], NULL, make_many, &sum);
	for (int i = 0; i < MAKERS; i++)
		pthread_join(maker[i], NULL);
	printf("many %ld\n", sum);
}

static void *fork_here(void *argument)
{
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		make();
		fflush(stdout);
		_exit(3);
	}
	int status = -1;
	waitpid(child, &status, 0);
	if (status != 3 << 8)
		printf("status %#x\n", status);
	printf("child %d\n", WEXITSTATUS(status));
	return argument;
}

static void forks(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, fork_here, NULL);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(void); } part[] = {
		{ "posix", make }, { "c11", make_c11 }, { "nest", nest }, { "refused", refused },
		{ "many", many }, { "forks", forks },
	};
	for (size_t i = 0; argc > 1 && i < sizeof part / sizeof *part; i++)
		if (strcmp(argv[1], part[i].name) == 0)
			part[i].run();
	return 0;
}
