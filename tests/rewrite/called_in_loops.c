/* what is called in loops needs more for a probe; bisections and loops within counted loops have an end */
#include <stdio.h>
#define TERM(k) s += x * (k) - s * y;
#define TERMS(k) TERM(k) TERM(k + 1) TERM(k + 2) TERM(k + 3) TERM(k + 4) TERM(k + 5) TERM(k + 6) TERM(k + 7)
#define LONG TERMS(1) TERMS(9) TERMS(17) TERMS(25) TERMS(33) TERMS(41) TERMS(49) TERMS(57)
static double in_loop(double x, double y) { double s = 0; LONG return s; }
static double once(double x, double y) { double s = 0; LONG return s; }
static double apart(double x, double y) { double s = 0; LONG return s; }
static double below_loop(double x, double y) { return in_loop(x, y) + once(y, x); }
static double rows(int n) { double s = 0; for (int i = 0; i < n; i++) s += in_loop(i, 1e-3); return s; }
static int find(const int *at, int n, int wanted)
{
	int low = 0, high = n;
	while (low < high) {
		int middle = (low + high) / 2;
		if (at[middle] < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
static int digits(unsigned n) { int k = 0; do k++; while (n /= 10); return k; }
static int below(int limit) { int n = 0; for (int step = 1; step < limit; step *= 2) n++; return n; }
static int triangle(void) { int s = 0; for (int i = 0; i < 4; i++) for (int j = 0; j < i + 1; j++) s += j; return s; }
static int counted(const int *at, int n) { int s = 0; for (int i = 0; i < n; i++) s += at[i / 2]; return s; }
int main(void)
{
	int at[] = { 1, 2, 3, 5, 8, 13, 21 };
	printf("%d %d %d %d %d\n", find(at, 7, 8), digits(4711), below(1000), triangle(), counted(at, 7));
	printf("%.3f\n", apart(1, 1e-3));
	for (int i = 0; i < 20; i++)
		printf("%.3f\n", rows(i) + below_loop(i, 1e-3));
	return 0;
}
