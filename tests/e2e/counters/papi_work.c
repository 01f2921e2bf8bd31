/* papi_work.c - regions that ask for different counters, nested and one after the other; the fake
 * PAPI counts what they do. Only the test reads what it prints. */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

void fake_work(long) __attribute__((weak));
int fake_live(void) __attribute__((weak));
int fake_threads(void) __attribute__((weak));
long fake_reads(void) __attribute__((weak));

static void work(long n)
{
	if (fake_work)
		fake_work(n);
}

static void inner(long n)
{
#pragma sis cr inner pmetric L1_DCM begin
	work(n);
#pragma sis end cr
}

static void outer(long n)
{
#pragma sis cr outer pmetric TOT_CYC, TOT_INS begin
	work(n);
	inner(n);
	work(n);
#pragma sis end cr
}

static void plain(long n)
{
#pragma sis cr plain begin
	work(n);
#pragma sis end cr
}

static void *in_thread(void *arg)
{
	(void)arg;
	outer(100);
	inner(1000);
	return NULL;
}

static void threads(void)
{
	for (int round = 0; round < 3; round++) {
		pthread_t thread[2];
		for (int i = 0; i < 2; i++)
			pthread_create(&thread[i], NULL, in_thread, NULL);
		for (int i = 0; i < 2; i++)
			pthread_join(thread[i], NULL);
	}
	if (fake_live)
		printf("sets %d, threads %d\n", fake_live(), fake_threads());
}

static void team(void)
{
#pragma omp parallel num_threads(3)
	outer(100);
}

/* Each of 100 tasks, whichever thread executes it, and while others wait for their tasks. */
static void tasks(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single
	for (int i = 0; i < 50; i++) {
#pragma omp task
		{
#pragma omp task
			inner(10);
			outer(10);
#pragma omp taskwait
		}
	}
}

static void children(void)
{
#pragma sis cr around pmetric TOT_CYC begin
	work(5);
	fflush(stdout);
	if (fork() == 0) {
		work(7);
		outer(100);
		exit(0);
	}
	wait(NULL);
	work(5);
#pragma sis end cr
}

static void call_plugin(void)
{
	void *library = dlopen("./plugin.so", RTLD_NOW);
	void (*routine)(void) = NULL;
	void *symbol = library ? dlsym(library, "routine") : NULL;
	memcpy(&routine, &symbol, sizeof routine);
	if (routine)
		routine();
}

/* A library that asks for something new while this thread counts. */
static void plugin(void)
{
#pragma sis cr around pmetric TOT_CYC begin
	work(5);
	call_plugin();
	work(5);
#pragma sis end cr
}

static volatile long handled;
static void handler(int signal)
{
	(void)signal;
#pragma sis cr handled pmetric L1_DCM, TOT_CYC begin
	handled++;
#pragma sis end cr
}

/* Handlers with counters of their own come while others are read. */
static void signals(void)
{
	const struct itimerval often = { { 0, 100 }, { 0, 100 } }, never = { { 0, 0 }, { 0, 0 } };
	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 50000; i++)
		outer(1);
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%s\n", handled > 10 ? "handled" : "never handled");
}

/* The same in a child that has not counted yet. */
static void plugin_in_child(void)
{
	fflush(stdout);
	outer(1);
	if (fork() == 0) {
		call_plugin();
		exit(0);
	}
	wait(NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "nested";
	if (strcmp(what, "threads") == 0)
		threads();
	else if (strcmp(what, "team") == 0)
		team();
	else if (strcmp(what, "tasks") == 0)
		tasks();
	else if (strcmp(what, "fork") == 0)
		children();
	else if (strcmp(what, "plugin") == 0)
		plugin();
	else if (strcmp(what, "plugin_in_child") == 0)
		plugin_in_child();
	else if (strcmp(what, "signals") == 0)
		signals();
	else {
		inner(1);
		outer(100);
		outer(100);
		long before = fake_reads ? fake_reads() : 0;
		plain(1);
		printf("reads of plain %ld\n", fake_reads ? fake_reads() - before : 0);
	}
	return 0;
}
