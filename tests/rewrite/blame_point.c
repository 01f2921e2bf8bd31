/* A blame point stands before a function or in it, and leaves no text. */
#include <stdio.h>

#pragma sis blame
static int twice(int n)
{
	int sum = 0;
	for (int i = 0; i < 2 * n; i++)
		sum += i % 3 ? 1 : 0;
	return sum + printf("%d\n", n);
}

int main(void)
{
#pragma sis blame
	int n = twice(3);
	_Pragma("sis blame")
	return twice(n) > 0 ? 0 : 1;
}
