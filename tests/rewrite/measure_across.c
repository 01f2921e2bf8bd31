/* flags: --sis-cr=CR_L */
#include <stdio.h>
/* Pairs that cross: what is begun would not be ended, or the other way. */
int main(void)
{
	int s = 0;
#pragma sis measure disable
	s += 1;
#pragma sis cr late begin
	s += 2;
#pragma sis measure enable
	s += 4;
#pragma sis end cr
#pragma sis cr early begin
	s += 8;
#pragma sis measure disable
	s += 16;
#pragma sis end cr
	s += 32;
#pragma sis measure enable
#pragma sis cr around begin
#pragma sis measure disable
	s += 64;
#pragma sis measure enable
	for (int i = 0; i < 2; i++)
		s += 128;
#pragma sis end cr
	printf("%d\n", s);
	return 0;
}
