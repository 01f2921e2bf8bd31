#include <stdio.h>
static int f(int n)
{
	int s = 0, again = 2;
	while (n-- > 0) {
		if (n % 3) {
#pragma sis cr one begin
			s += n;
inside:
			s *= 2;
		}
		for (int i = 0; i < 2; i++) {
#pragma sis end cr one
			s++;
#pragma sis cr two begin
			s += i;
		}
		if (s % 2 && again-- > 0)
			goto inside;
	}
#pragma sis end cr two
	return s;
}
int main(void)
{
	for (int n = 0; n < 7; n++)
		printf("%d\n", f(n));
	return 0;
}
