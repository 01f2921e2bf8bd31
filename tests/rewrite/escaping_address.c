#include <stdio.h>
int main(void)
{
	int *p, *q;
#pragma sis cr scalar begin
	int x = 3;
	p = &x;
#pragma sis end cr
#pragma sis cr array begin
	int v[2] = { 4, 5 };
	q = v;
#pragma sis end cr
#pragma sis cr inner begin
	int y = 6;
	y += *p;
#pragma sis end cr
	int z[4] = { 0 };
	printf("%d %d %d\n", *p, q[1], z[0]);
	return 0;
}
