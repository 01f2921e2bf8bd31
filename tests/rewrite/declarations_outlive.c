#include <stdio.h>
int main(void)
{
#pragma sis cr setup begin
	typedef long number;
	number n = 4;
	int v[n + 1];
	enum { TEN = 10 };
	for (int i = 0; i <= n; i++)
		v[i] = i * TEN;
#pragma sis end cr
	number sum = 0;
	for (int i = 0; i < (int)(sizeof v / sizeof *v); i++)
		sum += v[i];
	printf("%ld\n", sum);
	return 0;
}
