#include <math.h>
#include <stdio.h>
static double later(double x);
static double root(double x) { return sqrt(x * x + 1) + fabs(x); }
static double calls_later(double x) { return later(x) + later(-x); }
static double later(double x) { return 2 * x; }
static void five_turns(double *a) { for (int i = 0; i < 5; i++) a[i] = 2 * a[i] + 1; }
static void down_by_two(double *a) { int i; for (i = 8; i > 0; i -= 2) a[i] -= a[i - 1]; }
static void a_thousand_turns(double *a) { for (int i = 0; i < 1000; i++) a[i % 9] += i; }
static void any_turns(double *a, int n) { for (int i = 0; i < n; i++) a[i % 9] += i; }
static void rarely_any_turns(double *a, int n) { if (n > 9) if (n > 99) for (int i = 0; i < n; i++) a[i % 9] += i; }
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static double through(double (*f)(double), double x) { return f(x); }
static double eight_roots(double x) { return root(x) + root(x + 1) + root(x + 2) + root(x + 3) + root(x + 4) + root(x + 5) + root(x + 6) + root(x + 7); }
static double one_of_eight(int i, double x)
{
	switch (i) { case 0: return root(x); case 1: return root(2 * x); case 2: return root(3 * x); case 3: return root(4 * x);
	case 4: return root(5 * x); case 5: return root(6 * x); case 6: return root(7 * x); default: return root(8 * x); }
}
int main(void)
{
	double a[9] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	five_turns(a), down_by_two(a), a_thousand_turns(a), any_turns(a, 9), rarely_any_turns(a, 100);
	printf("%.3f %.3f %d\n", a[0], root(3) + calls_later(2) + through(later, 2), fibonacci(9));
	printf("%.3f\n", eight_roots(1) + one_of_eight(3, 1));
	return 0;
}
