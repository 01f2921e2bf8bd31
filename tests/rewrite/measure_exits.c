#include <stdio.h>
static int f(int n)
{
	for (int i = 0; i < n; i++) {
#pragma sis measure disable
		if (i == 1)
			continue;
		if (i == 2)
			break;
		if (n == 9)
			return -1;
#pragma sis measure enable
		printf("%d\n", i);
	}
	return n;
}
int main(void)
{
	printf("%d %d\n", f(5), f(9));
	return 0;
}
