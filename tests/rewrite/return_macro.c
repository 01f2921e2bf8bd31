/* flags: --sis-cr=CR_P,CR_F,CR_IO */
#include <stdio.h>
#define CHECK(c) do { if (!(c)) return -__LINE__; } while (0)
#define GIVE(x) return (x)
static int f(int n)
{
#pragma sis cr checked begin
	CHECK(n > 0);
	CHECK(n > 1);
	if (n == 3)
		GIVE(33);
#pragma sis end cr
	return n;
}
static void g(int n)
{
#pragma sis cr early begin
	if (n)
		return;
	puts("g");
#pragma sis end cr
}
int main(void)
{
	g(0);
	g(1);
	printf("%d %d %d %d\n", f(0), f(1), f(2), f(3));
	return 0;
}
