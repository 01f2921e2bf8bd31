/* flags: --sis-cr=CR_F,CR_S -Wno-unused-value */
#include <stdio.h>
struct pair { int a, b; };
static int f(int n) { return n + 1; }
static struct pair p(int n) { return (struct pair){ n, f(n) }; }
static void v(void) { puts("v"); }
static int (*pointer)(int) = f;
#define TWICE(x) ((x) + (x))
static int used[sizeof(f(1))];
int main(void)
{
	int x = f(f(1)) ? f(2) : f(3), y[2] = { f(0), [1] = f(5) };
	struct pair q = { .a = f(7), .b = p(3).b };
	_Static_assert(sizeof(f(2)) == sizeof(int), "not evaluated");
	__typeof__(f(1)) z = TWICE(f(4));
	v(), v();
	x ? v() : (void)0;
	if (f(0) && !f(-1)) v();
	while (f(x) < 6) x++;
	for (int i = f(0); i < f(1); i = f(i)) z++;
	switch (f(1)) { case 2: z++; }
	*(&x + f(-1)) = pointer(x);
	y[f(0)]++, (void)f(1);
	z += _Generic(f(1), int: f(2), default: f(3));
	printf("%d %d %d %d %d %d %d %d\n", x, y[0], y[1], q.a, q.b, z, (int)sizeof(int[f(2)]), (int)sizeof used);
	return f(-1);
}
