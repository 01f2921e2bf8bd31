/* recursion.c WHAT N [END] - recursions of every kind, N deep or N times. END says how the
 * innermost activation ends the process, or which jump leaves it. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

static jmp_buf outermost, level;
static const char *end = "";
static int leaf(int n)
{
	for (volatile int i = 0; i < 3; i++)
		n ^= i;
	return n;
}
static int ping(int n);
static void stop(void);
static int last(void)
{
	stop();
	return leaf(0) * 0;
}
static int pong(int n) { return n ? 1 + ping(n - 1) : last(); }
static int ping(int n) { return n ? 1 + pong(n - 1) : last(); }
static void stop(void)
{
	if (!strcmp(end, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(end, "exit"))
		exit(0);
	if (!strcmp(end, "fork") && fork() == 0)
		end = "child";
	if (!strcmp(end, "child"))
		leaf(1);
}
static int down(int n)
{
	if (n == 0) {
		stop();
		return 0;
	}
	return 1 + down(n - 1);
}
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
/* two functions that call each other in all orders: 2^n paths */
static int right(int n);
static int left(int n) { return n ? left(n - 1) + right(n - 1) : 1; }
static int right(int n) { return n ? left(n - 1) + right(n - 1) : 1; }
static int ackermann(int m, int n)
{
	if (m == 0)
		return n + 1;
	return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int sleepy(int n)
{
	rest(2);
	return n ? 1 + sleepy(n - 1) : 0;
}
/* Out of 100 activations to the outermost one, then from 100 to that of 60: both are left by
 * jumps. */
static int jumping(int n)
{
	volatile int here = n;
	if (n == 60 && setjmp(level))
		return 60 + leaf(0) * 0;
	if (n == 100)
		longjmp(end[0] == 'f' ? outermost : level, 1);
	return jumping(here + 1);
}
static volatile int handled;
static void on_alarm(int number)
{
	down(40 + number * 0);
	ping(70);
	handled++;
}
static int alarmed(int n)
{
	struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { { 0, 0 }, { 0, 0 } };
	int r = 0;
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < n; i++)
		r += down(500) + ping(500);
	setitimer(ITIMER_REAL, &never, NULL);
	return r;
}
static void *thread(void *depth)
{
	down(*(int *)depth);
	return NULL;
}
int main(int argc, char **argv)
{
	const char *what = argv[1];
	int n = atoi(argv[2]), r = 0;
	if (argc > 3)
		end = argv[3];
	if (!strcmp(what, "down"))
		r = down(n);
	if (!strcmp(what, "mutual"))
		r = ping(n);
	if (!strcmp(what, "fib"))
		r = fib(n);
	if (!strcmp(what, "orders"))
		r = left(n);
	if (!strcmp(what, "ackermann"))
		r = ackermann(2, n);
	if (!strcmp(what, "sleepy"))
		r = sleepy(n);
	if (!strcmp(what, "alarmed"))
		r = alarmed(n);
	if (!strcmp(what, "jump"))
		for (volatile int i = 0; i < n; i++)
			r += setjmp(outermost) ? 1 : jumping(0);
	if (!strcmp(what, "threads")) {
		pthread_t one, two;
		pthread_create(&one, NULL, thread, &n);
		pthread_create(&two, NULL, thread, &n);
		pthread_join(one, NULL);
		pthread_join(two, NULL);
	}
	if (!strcmp(end, "fork"))
		wait(NULL);
	printf("%d\n", r);
	return 0;
}
