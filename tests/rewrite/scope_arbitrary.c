#include <stdio.h>
int main(void)
{
	int s = 0;
#pragma sis cr CR_A pmetric VCSW begin
#pragma sis cr one pmetric WTIME begin
	s++;
#pragma sis end cr
#pragma sis end cr
#pragma sis cr two begin
	s++;
#pragma sis end cr
	printf("%d\n", s);
	return 0;
}
