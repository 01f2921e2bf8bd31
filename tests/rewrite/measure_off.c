#include <stdio.h>
static int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int main(void)
{
	int s = work(3);
#pragma sis measure disable
	s += work(4);
#pragma sis cr silent begin
	printf("quiet\n");
#pragma sis end cr
#pragma sis measure enable
	printf("%d\n", s);
	return 0;
}
