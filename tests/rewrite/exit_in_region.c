#include <stdio.h>
#include <stdlib.h>
static _Noreturn void leave(int n)
{
	fflush(stdout);
	exit(n);
}
static void at_end(void) { puts("at end"); }
int main(void)
{
	atexit(at_end);
#pragma sis cr deep begin
	for (int i = 0;; i++) {
		printf("%d\n", i);
		if (i == 3)
			leave(17);
	}
#pragma sis end cr
}
