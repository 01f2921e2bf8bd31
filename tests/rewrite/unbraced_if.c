/* flags: --sis-cr=CR_F,CR_S,CR_IF,CR_L */
#include <stdio.h>
static void a(int n) { printf("a%d\n", n); }
int main(void)
{
	for (int i = 0; i < 4; i++)
		if (i == 1) a(i); else if (i == 2) a(-i);
		else
			for (int j = 0; j < 2; j++) a(j);
	if (1) ; else a(9);
	return 0;
}
