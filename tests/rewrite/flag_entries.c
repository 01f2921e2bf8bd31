/* flags: --sis-cr=CR_F,CR_L,CR_IF,CR_BLOCK,CR_SWITCH */
#include <stdio.h>
static int into_loop(int n)
{
	int s = 0, i = 0;
	if (n > 2)
		goto middle;
	for (i = 0; i < 3; i++) {
		s += i;
		if (n == 1)
			continue;
middle:
		s += 10;
		if (n == 2)
			break;
	}
	while (s > 50)
		if (n)
sole:			s -= 7;
	if (s == 30 && n != 9) {
		s += 40;
		n = 9;
		goto sole;
	}
	return s;
}
static int into_if(int n)
{
	int s = n;
	if (n > 3)
		goto yes;
	if (n)
		s++;
	else if (s) {
yes:
		s += 100;
		if (s == 105)
			return s;
	}
	return s;
}
static int cases(int n)
{
	int s = 0;
	switch (n) {
	case 0:
		while (s < 20) {
			s += 3;
	case 1:
	case 2:
			s += 1;
			if (s == 9)
				continue;
			if (s > 15)
				break;
	default:
			s += 2;
		}
		/* fallthrough */
	case 7:
		s++;
	}
	return s;
}
static int one_line(int n) {switch (n) {case 1: return 5;} while (n < 0) {if (n == -2) goto in; n++; in: n++;} return n;}
int main(void)
{
	for (int n = 0; n < 8; n++)
		printf("%d %d %d %d\n", into_loop(n), into_if(n), cases(n), one_line(3 - n));
	return 0;
}
