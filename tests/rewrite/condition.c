#include <stdio.h>
#define LIMIT 2
#pragma sis cr CR_BLOCK if(verbose) 
static int verbose = 1;
static int asked;
static int ask(int n)
{
	asked++;
	return n;
}
static int named(int n)
{
	int s = 0;
#pragma sis cr part if(n > 1) begin
	s += n;
	if (n == 3)
		return s;
#pragma sis end cr
	if (n)
#pragma sis cr sole if(n > LIMIT) begin
		s++;
#pragma sis end cr
	return s;
}
static int scope(int n)
{
	int s = 0;
#pragma sis cr CR_L, CR_S if(n > 2 && !s) begin
	for (int i = 0; i < n; i++)
		s += ask(i);
	while (s > 9)
		s -= 9;
#pragma sis end cr
	return s;
}
static int whole(int n, int m)
{
#pragma sis cr CR_F, CR_L if(n, m > 1)
	int s = 0;
	while (n-- > 0)
		s += m;
	{
		s++;
	}
	return s;
}
static int jumped(int n)
{
	int s = 0;
	if (n > 4)
		goto inside;
again:
#pragma sis cr round if(n & 1) begin
	s++;
inside:
	s += 2;
	if (s < 6)
		goto again;
#pragma sis end cr
	return s;
}
static int declared(int n)
{
#pragma sis cr outlives if(n) begin
	int s = n * 2;
	s++;
#pragma sis end cr
	return s;
}
int main(void)
{
	for (int n = 0; n < 6; n++)
		printf("%d %d %d %d %d\n", named(n), scope(n), whole(n, n - 1), jumped(n), declared(n));
	printf("%d\n", asked);
	return 0;
}
