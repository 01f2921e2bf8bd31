/* flags: --sis-cr=CR_F,CR_L */
#ifndef NAME
#include <stdio.h>
#define NAME first
#include "self_include.c"
#undef NAME
#define NAME second
#include "self_include.c"
int main(void)
{
	printf("%d %d\n", first(3), second(4));
	return 0;
}
#else
static int NAME(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += i;
	return s;
}
#endif
