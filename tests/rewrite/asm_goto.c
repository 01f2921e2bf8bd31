/* flags: --sis-cr=CR_F,CR_IF */
#include <stdio.h>
static int f(int n)
{
#if defined __x86_64__
	__asm__ goto("test %0, %0\n\tjnz %l1" : : "r"(n) : "cc" : taken);
#else
	if (n)
		goto taken;
#endif
	return 0;
taken:
	return 1;
}
int main(void)
{
	printf("%d %d\n", f(0), f(5));
	return 0;
}
