/* flags: --sis-cr=CR_F */
#include <stdio.h>
__attribute__((no_instrument_function, noinline)) static int quiet(int n) { return n + 1; }
__attribute__((noinline)) static int __attribute__((cold)) cold(int n) { return n + 2; }
static _Thread_local int local;
int main(void)
{
	local = quiet(1) + cold(1);
	printf("%d\n", local);
	return 0;
}
