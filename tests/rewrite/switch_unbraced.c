/* flags: --sis-cr=CR_F,CR_SWITCH,CR_IF,CR_S */
#include <stdio.h>
static void f(int n)
{
	switch (n) case 1: case 2: printf("%d\n", n);
	switch (n)
		default: if (n == 2) puts("two"); else puts("other");
	if (n) switch (n) { case 1: return; } else puts("zero");
}
int main(void)
{
	f(0);
	f(1);
	f(2);
	return 0;
}
