#include <stdio.h> /* flags: --sis-include=pick */
static int pick(int n, int m)
{
#pragma sis cr inner begin
	if (n)
		if (m)
			return 1;
		else
			n = 7;
#pragma sis end cr
	if (n > 5) {
#pragma sis cr arm begin
		n++;
#pragma sis end cr
	} else
		n--;
	return n;
}
int main(void)
{
	printf("%d %d %d\n", pick(0, 0), pick(1, 0), pick(1, 1));
	return 0;
}
