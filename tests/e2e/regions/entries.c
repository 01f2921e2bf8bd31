/* entries.c - regions that are entered and left by jumps, overlap, or have a condition. */
#include <stdio.h>
static int evaluated;
static int ask(int n)
{
	evaluated++;
	return n;
}
static int step(int n)
{
	int s = 0;
	if (n > 5)
		goto inside;
#pragma sis cr entered begin
	s++;
inside:
	s += 2;
#pragma sis end cr
	switch (n) {
	case 0:
#pragma sis cr across begin
		s++;
		break;
	case 1: s += 2;
#pragma sis end cr
		break;
	case 2: s += 3;
	}
	return s;
}
static int dispatch(const unsigned char *code)
{
	static void *const to[] = { &&end, &&add, &&drop };
	int s = 0;
#pragma sis cr loop begin
	for (;;) {
		goto *to[*code++];
	add:
		s++;
	}
#pragma sis end cr
drop:
	s--;
	if (s)
		goto add;
end:
	return s;
}
static int crossed(int n)
{
	int s = n;
#pragma sis cr first begin
	s++;
#pragma sis cr second begin
	if (n == 1)
		return s;
	s++;
#pragma sis end cr first
	if (n == 2)
		return s;
	s++;
#pragma sis end cr second
	return s;
}
static int asked(int n)
{
#pragma sis cr odd if (ask(n) & 1) begin
	n++;
#pragma sis end cr
#pragma sis cr CR_L if (ask(n) > 3) begin
	for (int i = 0; i < 2; i++)
		n += i;
#pragma sis end cr
	return n;
}
int main(void)
{
	int s = 0;
	for (int n = 0; n < 10; n++)
		s += step(n) + crossed(n) + asked(n);
	s += dispatch((const unsigned char *)"\1\1\2\1\2\0") +
		dispatch((const unsigned char *)"\0");
	printf("%d\n", s);
	return evaluated != 20 && evaluated != 0;
}
