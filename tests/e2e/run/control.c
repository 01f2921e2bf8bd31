/* control.c - solves for some steps; in some of them, solve takes ten times as long. Each step
 * gives its number to the rules. */
#include <sis/sis.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Sleeps, so that a busy machine does not change how long it takes. */
static void work(double length)
{
	nanosleep(&(struct timespec){ .tv_nsec = (long)(length * 1e9) }, NULL);
}

static void inner(double length)
{
#pragma sis cr inner begin
	work(length);
#pragma sis end cr
}

static void solve(double length)
{
#pragma sis cr solve begin
	inner(length / 2);
	inner(length / 2);
#pragma sis end cr
}

static void cheap(void)
{
#pragma sis cr cheap begin
	work(0.0001);
#pragma sis end cr
}

/* ./prog STEPS [FIRST LAST]: from FIRST to LAST, solve takes ten times as long. */
int main(int argc, char **argv)
{
	int steps = atoi(argv[1]), first = argc > 3 ? atoi(argv[2]) : steps,
	    last = argc > 3 ? atoi(argv[3]) : steps;
	for (int step = 0; step < steps; step++) {
		SIS_VALUE(step, step);
		solve(step >= first && step < last ? 0.05 : 0.005);
		cheap();
	}
	puts("solved");
	return 3;
}
