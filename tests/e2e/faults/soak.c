/* soak.c SECONDS - threads that come and go, nested teams, tasks, signals, forks and pauses, all at once.
 * Prints how often each region was entered while it was to be measured. */
#include <pthread.h>
#include <signal.h>
#include <sis/sis.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static atomic_long steps, visits, rounds;
static atomic_bool over;

static void step(long n)
{
	SIS_REGION(step);
	SIS_VALUE(number, n);
	atomic_fetch_add(&steps, 1);
}

static void down(int n)
{
	SIS_REGION(visit);
	atomic_fetch_add(&visits, 1);
	if (n)
		down(n - 1);
	else
		step(n);
}

/* Interrupts whatever is going on, the runtime included: its own region may be skipped, so it is not counted. */
static void on_signal(int signal)
{
	SIS_REGION(handler);
	(void)signal;
}

static void *short_lived(void *n)
{
	down((int)(long)n % 30);
	return NULL;
}

static void *comes_and_goes(void *unused)
{
	pthread_t thread[3];
	for (long n = 0; !atomic_load(&over); n++) {
		for (int i = 0; i < 3; i++)
			if (pthread_create(&thread[i], NULL, short_lived, (void *)(n + i)) != 0)
				abort();
		for (int i = 0; i < 3; i++)
			pthread_join(thread[i], NULL);
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	return unused;
}

static void teams(long n)
{
#pragma omp parallel num_threads(1 + n % 3)
	{
		step(n);
#pragma omp parallel num_threads(2)
		step(n);
#pragma omp single
		for (int i = 0; i < 5; i++) {
#pragma omp task
			down(i);
		}
	}
}

static void paused(long n)
{
	SIS_PAUSE();
#pragma omp parallel num_threads(2)
	{
		SIS_REGION(unseen);
		SIS_VALUE(unseen_number, n);
	}
	SIS_RESUME();
}

/* The child counts for itself, and is done before its counts would matter: only that it lives and dies. */
static void child(void)
{
	int status = 0;
	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	if (pid > 0)
		waitpid(pid, &status, 0);
	if (pid > 0 && status != 0)
		abort();
}

int main(int argc, char **argv)
{
	struct itimerval often = { { 0, 3000 }, { 0, 3000 } };
	struct sigaction action;
	pthread_t thread;
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 10);
	memset(&action, 0, sizeof action);
	action.sa_handler = on_signal;
	action.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	pthread_create(&thread, NULL, comes_and_goes, NULL);
	for (long n = 0; time(NULL) < end; n++) {
		SIS_REGION(round);
		atomic_fetch_add(&rounds, 1);
		teams(n);
		if (n % 7 == 0)
			paused(n);
		if (n % 200 == 0)
			child();
		nanosleep(&(struct timespec){ .tv_nsec = 300000 }, NULL);
	}
	atomic_store(&over, true);
	pthread_join(thread, NULL);
	printf("step %ld\nvisit %ld\nround %ld\n", steps, visits, rounds);
	return 0;
}
