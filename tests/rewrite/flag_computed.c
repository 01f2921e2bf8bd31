/* flags: --sis-cr=CR_F,CR_L,CR_IF,CR_BLOCK */
#include <stdio.h>
static int run(const char *code)
{
	static void *const op[] = { &&end, &&inc, &&twice, &&out };
	int s = 1;
	for (;;) {
		if (s < 100) {
			goto *op[(int)*code++];
inc:
			s++;
		}
		continue;
twice:
		s *= 2;
#pragma sis cr part begin
		if (s > 6)
			goto *op[(int)*code++];
		s++;
#pragma sis end cr
	}
out:
	s = -s;
end:
	return s;
}
static int assembly(int n)
{
	int s = 0;
	for (int i = 0; i < 4; i++) {
#if defined __x86_64__
		__asm__ goto("test %0, %0\n\tjz %l1" : : "r"(n - i) : "cc" : taken);
#else
		if (n == i)
			goto taken;
#endif
		s++;
	}
	return s;
taken:
	return -s;
}
int main(void)
{
	printf("%d %d\n", run("\1\2\2\1\2\0"), run("\2\2\2\3"));
	printf("%d %d\n", assembly(2), assembly(7));
	return 0;
}
