/* was_off.c - calls leaf from two functions, step by step, and gives each step to the rules. It
 * may end in several ways. */
#include <signal.h>
#include <sis/sis.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned sink;

__attribute__((noinline)) static void leaf(void)
{
#pragma sis measure disable
	nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
#pragma sis measure enable
	sink++;
}
__attribute__((noinline)) static void solve(void) { leaf(); }
__attribute__((noinline)) static void other(void) { leaf(); }
/* 4 us: the budget turns it down, and up again once it is off */
__attribute__((noinline)) static void hot(void)
{
	for (int i = 0; i < 1600; i++)
		sink++;
}

int main(int argc, char **argv)
{
	int steps = atoi(argv[1]);
	const char *way = argc > 2 ? argv[2] : "";
	for (int step = 0; step < steps; step++) {
		SIS_VALUE(step, step);
		solve();
		other();
		for (int i = 0; strcmp(way, "hot") == 0 && i < 2000; i++)
			hot();
		if (strcmp(way, "fork") == 0 && step == steps / 2 && fork() != 0)
			wait(NULL);
	}
	if (strcmp(way, "kill") == 0)
		kill(getpid(), SIGKILL);
	return 0;
}
