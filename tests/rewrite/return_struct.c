#include <stdio.h> /* flags: --sis-include=make */
struct big { int v[20]; };
static int calls;
static int effect(void) { return ++calls; }
static struct big make(int n)
{
	struct big b = { { n } };
#pragma sis cr part begin
	if (n > 1)
		return (struct big){ { effect(), effect() } };
	b.v[1] = effect();
#pragma sis end cr
	return b;
}
int main(void)
{
	struct big x = make(1), y = make(2);
	printf("%d %d %d %d %d\n", x.v[0], x.v[1], y.v[0], y.v[1], calls);
	return 0;
}
