/* soak.c SECONDS PLUGIN - threads that come and go, nested teams, tasks, signals, forks, pauses and
 * a library that is opened and closed, all at once; with SIS_TRACE_SIGNAL it switches the trace on
 * and off. Prints how often each region was entered while it was to be measured, in all
 * processes. */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sis/sis.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct { atomic_long steps, visits, rounds, plugged; } *counts; /* of all processes */
static atomic_bool over;

static void must(bool good)
{
	if (!good)
		abort();
}

static void step(long n)
{
	SIS_REGION(step);
	SIS_VALUE(number, n);
	atomic_fetch_add(&counts->steps, 1);
}

static void down(int n)
{
	SIS_REGION(visit);
	atomic_fetch_add(&counts->visits, 1);
	if (n)
		down(n - 1);
	else
		step(n);
}

/* Interrupts whatever is going on, the runtime included: its own region may be skipped, so it is
 * not counted. */
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
			must(pthread_create(&thread[i], NULL, short_lived, (void *)(n + i)) == 0);
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

static void *opens_and_closes(void *name)
{
	while (!atomic_load(&over)) {
		void *library = dlopen(name, RTLD_NOW);
		void (*plugged)(atomic_long *) = library ?
			(void (*)(atomic_long *))dlsym(library, "plugged") :
			NULL;
		must(plugged != NULL);
		for (int i = 0; i < 100; i++)
			plugged(&counts->plugged);
		dlclose(library);
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	return NULL;
}

/* The first leaves no trace, the second has a profile of its own. */
static void child(bool works)
{
	int status = 0;
	pid_t pid = fork();
	if (pid == 0 && works) {
		atomic_fetch_add(&counts->rounds, 1); /* it is in the midst of one */
		down(3);
	}
	if (pid == 0)
		_exit(0); /* another thread, in dlopen, may have held the lock that exit takes */
	if (pid > 0)
		waitpid(pid, &status, 0);
	must(pid <= 0 || status == 0);
}

int main(int argc, char **argv)
{
	struct itimerval often = { { 0, 3000 }, { 0, 3000 } };
	struct sigaction action;
	pthread_t thread, opener;
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 10);
	counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	must(counts != MAP_FAILED);
	memset(&action, 0, sizeof action);
	action.sa_handler = on_signal;
	action.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	must(pthread_create(&thread, NULL, comes_and_goes, NULL) == 0);
	must(argc < 3 || pthread_create(&opener, NULL, opens_and_closes, argv[2]) == 0);
	for (long n = 0; time(NULL) < end; n++) {
		SIS_REGION(round);
		atomic_fetch_add(&counts->rounds, 1);
		teams(n);
		if (n % 7 == 0)
			paused(n);
		if (n % 200 == 0)
			child(n % 2000 == 0);
		if (getenv("SIS_TRACE_SIGNAL") && n % 100 < 2)
			kill(getpid(), SIGUSR2);
		nanosleep(&(struct timespec){ .tv_nsec = 300000 }, NULL);
	}
	atomic_store(&over, true);
	pthread_join(thread, NULL);
	if (argc > 2)
		pthread_join(opener, NULL);
	printf("step %ld\nvisit %ld\nround %ld\nplugged %ld\n", counts->steps, counts->visits,
	       counts->rounds, counts->plugged);
	return 0;
}
