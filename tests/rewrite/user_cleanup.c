#include <stdio.h> /* flags: --sis-include=f */
static void say(int *n) { printf("clean %d\n", *n); }
static int f(int n)
{
	__attribute__((cleanup(say))) int outer = n;
#pragma sis cr part begin
	__attribute__((cleanup(say))) int inner = n + 1;
	if (n == 2)
		return inner + outer;
#pragma sis end cr
	__attribute__((cleanup(say))) int last = n + 2;
	return last;
}
int main(void)
{
	printf("%d %d\n", f(1), f(2));
	return 0;
}
