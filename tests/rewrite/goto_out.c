#include <stdio.h> /* flags: --sis-include=f */
static int f(int n)
{
	int s = 0;
again:
#pragma sis cr outer begin
	s += n;
#pragma sis cr inner begin
	if (s < 10)
		goto again;
	if (s > 100)
		goto out;
	s++;
#pragma sis end cr
	s++;
#pragma sis end cr
	return s;
out:
	return -s;
}
int main(void)
{
	printf("%d %d\n", f(3), f(200));
	return 0;
}
