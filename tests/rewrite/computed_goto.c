/* flags: --sis-cr=CR_F,CR_L */
#include <stdio.h>
static int run(const char *code)
{
	static void *const op[] = { &&end, &&inc, &&twice };
	int s = 1;
	goto *op[(int)*code++];
inc:
	s++;
	goto *op[(int)*code++];
twice:
	for (int i = 0; i < 1; i++)
		s *= 2;
	goto *op[(int)*code++];
end:
	return s;
}
int main(void)
{
	printf("%d\n", run("\1\2\2\1"));
	return 0;
}
