/* flags: -O2 --sis-cr=CR_F,CR_S,CR_L */
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
/* Calls that end a function, never come back, or whose target is chosen when the program is loaded. */
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int fast(int n) { return 2 * n; }
static int (*choose(void))(int) { return fast; }
int twice(int n) __attribute__((ifunc("choose")));
static unsigned long sum(unsigned long n, unsigned long s) { return n ? sum(n - 1, s + n) : s; }
noreturn static void stop(int status) { for (;;) exit(status); }
static _Noreturn void quit(int status)
{
	if (status)
		stop(status);
	quick_exit(0);
}
static int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
static void at_exit(void) { printf("at exit %d\n", twice(4)); }
static void (*const last[])(int) = { quit, stop };
int main(void)
{
	atexit(at_exit);
	printf("%d %d %d %lu %d\n", even(10), odd(10), twice(21), sum(1000, 0), depth(100));
	last[0](3);
	return 0;
}
