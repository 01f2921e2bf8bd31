/* flags: --sis-cr=CR_F,CR_L,CR_IF */
#include <stdio.h>
static int f(int n)
{
	int s = n;
#pragma sis cr first begin
	s++;
#pragma sis cr second begin
	if (n == 1)
		return s;
	s += 2;
	for (int i = 0; i < 3; i++) {
		if (n == 2)
			break;
		s += i;
	}
#pragma sis end cr first
	if (n == 3)
		goto out;
	s += 3;
#pragma sis end cr second
	s++;
out:
	return s;
}
static int loop(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++) {
		if (i == 1) {
#pragma sis cr late begin
			s++;
		}
		if (i == 3)
			continue;
		s += i;
	}
	s *= 2;
#pragma sis end cr late
	return s;
}
static int arms(int n)
{
	int s = 0;
#pragma sis cr early begin
	s++;
	if (n > 1) {
		while (s < n)
			s += 2;
#pragma sis end cr early
		s++;
	} else
		s = 7;
	return s;
}
int main(void)
{
	for (int n = 0; n < 6; n++)
		printf("%d %d %d\n", f(n), loop(n), arms(n));
	return 0;
}
