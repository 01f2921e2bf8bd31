#include <stdio.h> /* flags: --sis-include=f */
static int f(int n)
{
	int s = 0;
	switch (n) {
	case 0:
#pragma sis cr across begin
		s = 1;
		break;
	case 1:
		s = 2;
#pragma sis end cr
		/* fallthrough */
	case 2:
#pragma sis cr within begin
		s += 5;
#pragma sis end cr
		break;
	default: ;
		int late = n;
		s = late;
	}
	return s;
}
int main(void)
{
	printf("%d %d %d %d\n", f(0), f(1), f(2), f(3));
	return 0;
}
