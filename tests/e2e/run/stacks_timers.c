/* SPDX-License-Identifier: BSD-3-Clause */
/* stacks_timers.c - a program that timers sample (stacks_timers.sh). It prints the milliseconds of
 * CPU time that its first thread used. What it does is its argument. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;

static double seconds(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void burn(int ms)
{
	const double end = seconds(CLOCK_THREAD_CPUTIME_ID) + ms * 1e-3;
	while (seconds(CLOCK_THREAD_CPUTIME_ID) < end)
		for (int i = 0; i < 20000; i++)
			sink += i * 0.5;
}

/* Equal counts are equal times. */
__attribute__((noipa)) static double spin(double x, long n)
{
	for (long i = 0; i < n; i++)
		x = x * 0.999999 + 1e-6;
	return x;
}
__attribute__((noipa)) static void six(long n) { sink += spin(1, 6 * n); }
__attribute__((noipa)) static void three(long n) { sink += spin(2, 3 * n); }
__attribute__((noipa)) static void one(long n) { sink += spin(3, n); }

static int split(void)
{
	for (int i = 0; i < 20; i++)
		six(2000000), three(2000000), one(2000000);
	return 0;
}

/* -- threads and processes --------------------------------------------------------------------- */

static void *work(void *ms)
{
	burn(*(int *)ms);
	return NULL;
}

static int threads(void)
{
	int ms[] = { 600, 300, 150 };
	pthread_t thread[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, work, &ms[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return 0;
}

/* One after the other: each gets a timer, which ends with it. */
static int many_threads(void)
{
	int ms = 8;
	for (int i = 0; i < 100; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, work, &ms);
		pthread_join(thread, NULL);
	}
	return 0;
}

static int forks(void)
{
	int status;
	burn(300);
	pid_t child = fork();
	burn(child ? 100 : 600);
	if (child == 0)
		return 3;
	waitpid(child, &status, 0);
	fprintf(stderr, "child %d\n", WEXITSTATUS(status));
	return 0;
}

/* -- the program's own timers and signals ------------------------------------------------------ */

static volatile sig_atomic_t got[NSIG], strange;

static void handle(int number, siginfo_t *info, void *context)
{
	(void)context;
	got[number]++;
	strange += info->si_code == SI_TIMER && info->si_value.sival_int != number;
}

/* Timers of its own with each real-time signal, of the same clock. The runtime must give way. */
static int own(void)
{
	const struct itimerspec after = { .it_value.tv_nsec = 20000000 };
	struct sigaction before, action = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO };
	int old = 0, wrong = 0;
	burn(50);
	for (int n = SIGRTMIN; n <= SIGRTMAX; n++)
		old += sigaction(n, &action, &before) != 0 || before.sa_handler != SIG_DFL;
	for (int n = SIGRTMIN; n <= SIGRTMAX; n++) {
		struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = n,
					  .sigev_value.sival_int = n };
		timer_t timer;
		if (timer_create(n % 2 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &event,
				 &timer) != 0)
			return 1;
		timer_settime(timer, 0, &after, NULL);
	}
	burn(200);
	for (int n = SIGRTMIN; n <= SIGRTMAX; n++)
		wrong += got[n] != 1;
	fprintf(stderr, "old %d wrong %d strange %d\n", old, wrong, (int)strange);
	return 0;
}

/* The same, with the lowest ones only, as programs do; the timer's signals repeat. */
static int lowest(void)
{
	const struct itimerspec often = { { 0, 20000000 }, { 0, 20000000 } };
	struct sigaction action = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN,
				  .sigev_value.sival_int = SIGRTMIN };
	timer_t timer;
	sigaction(SIGRTMIN, &action, NULL);
	if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0)
		return 1;
	timer_settime(timer, 0, &often, NULL);
	burn(600);
	fprintf(stderr, "own %s strange %d\n", got[SIGRTMIN] >= 10 ? "many" : "few", (int)strange);
	return 0;
}

/* One that the program sends, with the code of a timer: it means the default action. */
static int sends(void)
{
	siginfo_t info = { .si_code = SI_TIMER };
	burn(50);
	for (int number = SIGRTMAX; number >= SIGRTMAX - 3; number--) {
		info.si_signo = number;
		if (fork() == 0) {
			burn(20);
			syscall(SYS_rt_sigqueueinfo, getpid(), number, &info);
			return 1;
		}
		int status;
		wait(&status);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != number)
			return 1;
	}
	return 0;
}

/* All signals wait, by a system call that the runtime does not see. */
static int holds(void)
{
	const unsigned long all = ~0ul, none = 0;
	burn(100);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all);
	burn(300);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none);
	burn(100);
	return 0;
}

/* Timers that the program deletes by their numbers. */
static int deletes(void)
{
	burn(20);
	for (int n = 0; n < 100; n++)
		syscall(SYS_timer_delete, n);
	burn(800);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	static const struct { const char *name; int (*run)(void); } all[] = {
		{ "split", split }, { "threads", threads }, { "many", many_threads },
		{ "forks", forks }, { "own", own }, { "lowest", lowest }, { "sends", sends },
		{ "deletes", deletes }, { "holds", holds },
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(what, all[i].name) == 0) {
			int status = all[i].run();
			printf("%.0f\n", seconds(CLOCK_THREAD_CPUTIME_ID) * 1e3);
			return status;
		}
	return 2;
}
