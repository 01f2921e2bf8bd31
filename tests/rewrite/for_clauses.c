/* flags: --sis-cr=CR_F,CR_L,CR_S */
#include <stdio.h>
static int next(int n) { return n + 1; }
int main(void)
{
	int i, j;
	for (i = 0, j = next(9); i < next(3); i = next(i), j--)
		;
	for (;;) if (j-- < 3) break;
	for (int k = 0; k < 2; k++) for (int l = 0; l < 2; l++) printf("%d%d ", k, l);
	do i--; while (next(i) > 0);
	printf("%d %d\n", i, j);
	return 0;
}
