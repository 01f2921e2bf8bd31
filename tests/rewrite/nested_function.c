#include <stdio.h>
int main(void)
{
	int base = 4;
	int add(int n) { return base + n; }
	printf("%d\n", add(3));
	return 0;
}
