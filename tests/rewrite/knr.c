/* flags: --sis-cr=CR_F,CR_L -std=gnu89 -Wno-old-style-definition -Wno-deprecated-non-prototype */
#include <stdio.h>
int add(a, b)
	int a;
	int b;
{
	int s, i;
	s = a;
	for (i = 0; i < b; i++)
		s++;
	return s;
}
int main(argc, argv)
	int argc;
	char **argv;
{
	(void)argv;
	printf("%d\n", add(argc, 4));
	return 0;
}
