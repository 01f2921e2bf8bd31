/* jumps.c - longjmp() out of functions, regions, signal handlers and nested levels. */
#include <setjmp.h>
#include <signal.h>
#include <sis/sis.h>
#include <stdio.h>
static jmp_buf place, outer, nested[4];
static sigjmp_buf handled;
static int turns;
static void deep(int n)
{
	turns++;
	if (n == 0)
		longjmp(place, 1);
	deep(n - 1);
}
static void quiet(void) { turns++; }
static void unmeasured(void)
{
#pragma sis measure disable
	quiet();
	if (turns)
		longjmp(place, 2);
#pragma sis measure enable
}
static void level(int n)
{
	if (n == 4)
		longjmp(nested[1], 3);
	if (setjmp(nested[n]) == 0)
		level(n + 1);
	else {
		quiet();
		longjmp(outer, 5);
	}
}
static void paused(void)
{
	SIS_PAUSE();
	longjmp(place, 4);
}
static void on_signal(int number) { siglongjmp(handled, number); }
static void strike(void) { raise(SIGUSR1); }
int main(void)
{
	signal(SIGUSR1, on_signal);
	for (volatile int i = 0; i < 5; i++) {
		if (setjmp(place) == 0)
			deep(i);
		quiet();
	}
	if (setjmp(place) == 0)
		unmeasured();
	quiet();
	if (!setjmp(outer))
		level(0);
	quiet();
	for (volatile int i = 0; i < 100; i++)
		if (sigsetjmp(handled, 1) == 0)
			strike();
	switch (setjmp(place)) {
	case 0: paused(); break;
	case 4: /* what was said by hand holds until the contrary is */
		quiet();
		SIS_RESUME();
		quiet();
	}
	printf("%d\n", turns);
	return 0;
}
