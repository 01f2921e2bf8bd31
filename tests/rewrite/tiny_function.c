#include <stdio.h>
struct point { int x, y; };
static int get_x(const struct point *p) { return p->x; }
static void set_x(struct point *p, int x) { p->x = x; }
static int loop(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
static int call(int n) { return loop(n) + loop(n); }
int main(void)
{
	struct point p = { 1, 2 };
	set_x(&p, 9);
	printf("%d %d\n", get_x(&p), call(3));
	return 0;
}
