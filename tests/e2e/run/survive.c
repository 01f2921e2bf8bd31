/* survive.c [HOW] - sleeps three times 100 ms, then ends in the given way. */
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "work.h"

static void leave(int number) { _exit(number - 2); }

static void end(const char *how)
{
	if (!strcmp(how, "exit"))
		exit(3);
	if (!strcmp(how, "_exit"))
		_exit(4);
	if (!strcmp(how, "abort"))
		abort();
	assert(strcmp(how, "assert"));
	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(how, "term"))
		kill(getpid(), SIGTERM);
	if (!strcmp(how, "segv"))
		*(volatile int *)0 = 1;
	if (!strcmp(how, "raise"))
		raise(SIGFPE);
	if (!strcmp(how, "handler")) {
		signal(SIGSEGV, leave);
		*(volatile int *)0 = 1;
	}
	if (!strcmp(how, "exec"))
		execlp("sh", "sh", "-c", "exit 6", (char *)0);
}

int main(int argc, char **argv)
{
	puts("out");
	fflush(stdout);
	for (int i = 0; i < 3; i++)
		rest(100);
	end(argc > 1 ? argv[1] : "");
	return 5;
}
