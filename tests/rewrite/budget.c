/* A budget stands anywhere, and leaves no text. */
#include <stdio.h>
#pragma sis measure budget(2%)

static int twice(int n)
{
#pragma sis measure budget ( 0.5 )
	int sum = 0;
	for (int i = 0; i < 2 * n; i++)
		sum += i % 3 ? 1 : 0;
	return sum + printf("%d\n", n);
}

int main(void)
{
	int n = twice(3);
	_Pragma("sis measure budget(off)")
	return twice(n) > 0 ? 0 : 1;
}
