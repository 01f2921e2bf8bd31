#include <stdio.h>
#pragma sis cr CR_F, CR_L if(enabled(2))
static int asked;
static int enabled(int n);
static int helper(int n)
{
	while (n > 1)
		n--;
	return n;
}
static int enabled(int n)
{
	asked++;
	return helper(n);
}
static int own(int n)
{
	int s = 0;
#pragma sis cr part if(n > 0 && own(n - 1) >= 0) begin
	s += n;
#pragma sis end cr
	return s;
}
int main(void)
{
	int s = helper(3) + enabled(3);
	printf("%d %d\n", s, own(3));
	return asked < 1;
}
