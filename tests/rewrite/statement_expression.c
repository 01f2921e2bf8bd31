#include <stdio.h>
static int f(int n)
{
	int r = 0;
#pragma sis cr expr begin
	r = ({ if (n == 2) return 20; n + 1; });
#pragma sis end cr
	r += ({ int t = r; while (t > 3) t--; t; });
	return r;
}
int main(void)
{
	printf("%d %d %d\n", f(1), f(2), f(9));
	return 0;
}
