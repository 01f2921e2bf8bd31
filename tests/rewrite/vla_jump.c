#include <stdio.h> /* flags: --sis-include=f */
static int f(int n)
{
	int s = 0;
again:;
	int v[n];
	v[0] = n;
#pragma sis cr part begin
	s += v[0];
	if (s < 12)
		goto again;
#pragma sis end cr
	return s;
}
int main(void)
{
	printf("%d\n", f(5));
	return 0;
}
