/* SPDX-License-Identifier: BSD-3-Clause */
/* stacks.c - a program that is sampled (stacks.sh). What it does is its argument. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;

/* Until the thread has used so much more CPU time. */
__attribute__((noinline)) static void burn(int ms)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	const long long end = now.tv_sec * 1000000000LL + now.tv_nsec + ms * 1000000LL;
	do {
		for (int i = 0; i < 20000; i++)
			sink += i * 0.5;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec * 1000000000LL + now.tv_nsec < end);
}

/* -- calls that must not end with EINTR -------------------------------------------------------- */

static int interrupted;

static void count(int failed)
{
	if (failed && errno == EINTR)
		__atomic_add_fetch(&interrupted, 1, __ATOMIC_RELAXED);
}

static void *wait_often(void *unused)
{
	const struct timespec pause = { 0, 50000 };
	struct epoll_event event;
	int ends[2], set = epoll_create1(0);
	sem_t semaphore;
	sem_init(&semaphore, 0, 0);
	if (pipe(ends) != 0)
		abort();
	for (int i = 0; i < 1000; i++) {
		struct timeval interval = { 0, 50 };
		struct pollfd one = { ends[0], POLLIN, 0 };
		struct timespec until;
		char byte = 'x';
		for (int k = 0; k < 20000; k++)
			sink += k * 0.5;
		count(nanosleep(&pause, NULL) != 0);
		count(select(0, NULL, NULL, NULL, &interval) < 0);
		count(ppoll(&one, 1, &pause, NULL) < 0);
		count(epoll_wait(set, &event, 1, 0) < 0);
		count(write(ends[1], &byte, 1) != 1);
		count(read(ends[0], &byte, 1) != 1);
		clock_gettime(CLOCK_REALTIME, &until);
		count(sem_timedwait(&semaphore, &until) != 0);
	}
	return unused;
}

static int calls(void)
{
	pthread_t thread[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, wait_often, NULL);
	wait_often(NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	printf("interrupted %d\n", interrupted);
	return 7;
}

/* -- signals of the program -------------------------------------------------------------------- */

static volatile sig_atomic_t got[NSIG];

static void handle(int number) { got[number]++; }

static void *block_all(void *unused)
{
	const struct timespec pause = { 0, 50000000 };
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	burn(100);
	printf("waited %d\n", sigtimedwait(&all, NULL, &pause));
	return unused;
}

static int signals(void)
{
	pthread_t thread;
	int used = 0, old = 0, bad = 0;
	struct sigaction before, action = { .sa_handler = handle };
	burn(50);
	for (int n = SIGRTMIN; n <= SIGRTMAX; n++)
		used += sigaction(n, NULL, &before) != 0 || before.sa_handler != SIG_DFL;
	pthread_create(&thread, NULL, block_all, NULL);
	pthread_join(thread, NULL);
	for (int n = SIGRTMIN; n <= SIGRTMAX; n++) {
		old += sigaction(n, &action, &before) != 0 || before.sa_handler != SIG_DFL;
		burn(5);
	}
	for (int n = SIGRTMIN; n <= SIGRTMAX; n++) {
		raise(n);
		bad += got[n] != 1;
	}
	printf("used %d old %d bad %d\n", used, old, bad);
	return 0;
}

/* -- processes --------------------------------------------------------------------------------- */

static int forks(void)
{
	int status;
	burn(50);
	pid_t child = fork();
	burn(50);
	if (child == 0)
		exit(3);
	waitpid(child, &status, 0);
	printf("child %d\n", WEXITSTATUS(status));
	return 0;
}

/* A signal that is pending must not end the next program. */
static int executes(void)
{
	sigset_t all;
	burn(50);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	burn(20);
	execl("/bin/echo", "echo", "next", (char *)NULL);
	return 1;
}

static int is_killed(void)
{
	burn(200);
	return raise(SIGKILL);
}

/* -- threads ----------------------------------------------------------------------------------- */

static void *work(void *unused)
{
	burn(200);
	usleep(200000);
	return unused;
}

static int threads(void)
{
	pthread_t thread[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}

/* Descriptors that the program closes. */
static int closes(void)
{
	burn(20);
	for (int fd = 3; fd < 4096; fd++)
		close(fd);
	burn(600);
	return 0;
}

/* A program's own memory, deep stacks. */
__attribute__((noinline)) static double deep(int n)
{
	volatile double here = n;
	if (n == 0)
		burn(100);
	return n ? deep(n - 1) + here : here;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	static const struct { const char *name; int (*run)(void); } all[] = {
		{ "calls", calls }, { "signals", signals }, { "forks", forks },
		{ "executes", executes }, { "killed", is_killed }, { "threads", threads },
		{ "closes", closes },
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(what, all[i].name) == 0)
			return all[i].run();
	printf("%g\n", deep(argc > 2 ? atoi(argv[2]) : 10));
	return 0;
}
