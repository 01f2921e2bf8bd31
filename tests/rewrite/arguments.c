/* flags: -O2 --sis-cr=CR_IO,CR_MEM,CR_ALLOC */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* Calls in the arguments of a measured call are regions, in the place and order that they have. Those that are not
 * evaluated are none. Calls elsewhere are not asked for. */
struct pair { int a, b; };
static int count;
static int f(int n) { count++; return n + 1; }
static double g(void) { return 0.5; }
static struct pair pair(int a) { return (struct pair){ a, a }; }
static const char *text(const char *s) { return s; }
static void nothing(void) { count++; }
static int (*pointer)(int) = f;
static struct { int (*call)(int); } table[1] = { { f } };
#define SHOW(...) printf(__VA_ARGS__)
#define F(n) f(n)
#define BOTH printf("%d\n", f(20))
int main(void)
{
	int x = f(0), *p = &x;
	printf("%d %d\n", f(1), x);
	printf("%d\n", f(f(f(2)) + pointer(3)));
	printf("%d %d\n", table[0].call(4), (*pointer)(5));
	printf("%d %d\n", x ? f(6) : f(7), f(-1) && f(8));
	printf("%d\n", (nothing(), f(9), f(10)));
	printf("%zu %zu\n", sizeof f(11), sizeof(__typeof__(f(12))));
	printf("%zu\n", sizeof(int[f(13)]));
	printf("%d\n", ({ int sum = 0; for (int i = 0; i < f(1); i++) sum += f(i); sum; }));
	printf("%d %d\n", pair(f(14)).a, (struct pair){ .a = 1, .b = f(15) }.b);
	printf("%d\n", _Generic(f(0), int: f(16), double: f(17)));
	printf("%g %s\n", g(), text("a"));
	SHOW("%d %d\n", F(18), f(19));
	BOTH;
	printf("%d\n", ((int[]){ 1, f(1), 3 })[f(0)]);
	char *copy = memcpy(malloc(f(5)), text("abc"), strlen(text("abc")) + 1);
	x = f(x) + puts(copy) * f(0), p[f(-1)]++, free(copy);
	printf("%d %d\n", x, count);
	return f(-1);
}
