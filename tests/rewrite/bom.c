/* flags: --sis-cr=CR_F,CR_L */
#include <stdio.h>
int main(void)
{
	for (int i = 0; i < 2; i++)
		puts("bom");
	return 0;
}
