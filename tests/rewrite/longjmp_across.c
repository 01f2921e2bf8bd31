/* flags: --sis-cr=CR_F,CR_S,CR_L */
#include <setjmp.h>
#include <stdio.h>
static jmp_buf place;
static void deep(int n)
{
#pragma sis cr level begin
	if (n == 0)
		longjmp(place, 5);
	deep(n - 1);
#pragma sis end cr
}
int main(void)
{
	for (int i = 0; i < 3; i++) {
		int how = setjmp(place);
		if (how == 0)
			deep(i);
		printf("%d %d\n", i, how);
	}
	return 0;
}
