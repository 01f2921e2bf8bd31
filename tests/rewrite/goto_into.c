#include <stdio.h> /* flags: --sis-include=f */
static int f(int n)
{
	int s = 0;
	if (n > 2)
		goto middle;
#pragma sis cr part begin
	s += 1;
middle:
	s += 10;
#pragma sis end cr
	return s;
}
int main(void)
{
	printf("%d %d\n", f(1), f(3));
	return 0;
}
