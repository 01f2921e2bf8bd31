#include <stdio.h>
static int f(int n) { return n + 1; }
int main(void)
{
	int s = 0;
#pragma sis cr CR_L pmetric WTIME begin
#pragma sis cr step, CR_S pmetric CTIME begin
	for (int i = 0; i < 3; i++)
		s += f(i);
#pragma sis cr plain begin
	s++;
#pragma sis end cr plain
#pragma sis end cr step
#pragma sis end cr
	for (int i = 0; i < 3; i++)
		s += f(i);
	printf("%d\n", s);
	return 0;
}
