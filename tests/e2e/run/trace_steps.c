/* trace_steps.c STEPS [END] - 100 short regions in each step; END says what happens beside them, or
 * how the process ends. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <sis/sis.h>

#include "work.h"

static void inner(void) { __asm__ volatile("" ::: "memory"); }
static void step(long pairs)
{
#pragma sis cr step begin
	for (long i = 0; i < pairs; i++) {
#pragma sis cr inner begin
		inner();
#pragma sis end cr
	}
#pragma sis end cr
}
static volatile int seen;
static void count(int number)
{
	(void)number;
	seen++;
}
int main(int argc, char **argv)
{
	const char *end = argc > 2 ? argv[2] : "";
	long steps = atol(argv[1]);
	if (!strcmp(end, "own"))
		signal(SIGUSR2, count);
	for (long i = 0; i < steps; i++) {
		if (!strcmp(end, "rest"))
			rest(20);
		if ((!strcmp(end, "signal") || !strcmp(end, "own")) && (i == 10 || i == 15))
			raise(SIGUSR2);
		if (!strcmp(end, "hand") && i == 10)
			SIS_TRACE_START();
		if (!strcmp(end, "hand") && i == 15)
			SIS_TRACE_STOP();
		step(100);
	}
	if (!strcmp(end, "fork")) {
		if (fork() == 0) {
			step(10);
			exit(0);
		}
		wait(NULL);
		step(10);
	}
	fflush(stdout);
	if (!strcmp(end, "kill"))
		raise(SIGKILL);
	if (!strcmp(end, "segv"))
		raise(SIGSEGV);
	if (!strcmp(end, "fault"))
		*(volatile int *)0 = 1;
	if (!strcmp(end, "abort"))
		abort();
	if (!strcmp(end, "exit"))
		_exit(0);
	if (!strcmp(end, "exec"))
		execl("/bin/true", "true", (char *)0);
	return seen;
}
