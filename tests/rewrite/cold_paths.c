/* what reports an error, ends the program or is marked as unlikely is no reason for a probe; calls of other files under a condition hardly are */
#include <stdio.h>
#include <stdlib.h>
#define unlikely(x) __builtin_expect(!!(x), 0)
int many(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i / 2]; return s; }
static void give_up(const char *why) { fprintf(stderr, "%s\n", why); exit(1); }
__attribute__((cold)) static int report(const int *a) { return many(a, 99); }
static void *allocate(size_t n) { void *p = malloc(n); if (!p) give_up("no memory"); return p; }
static int told(const int *a, int n) { if (n < 0) { perror("told"); many(a, n); } return a[0]; }
static int marked(const int *a, int n) { if (unlikely(n < 0) || a[1] < 0) return a[0]; if (unlikely(n > 5 && a)) many(a, n); return a[1]; }
static int attribute(const int *a, int n) { if (n > 5) { report(a); many(a, n); } return a[2]; }
static int sometimes(const int *a, int n) { if (n == 3) return many(a, n); return n; }
static int always(const int *a, int n) { if (n == 4) return n; return many(a, n); }
static int in_arm(const int *a, int n) { int s = 0; if (n > 2) for (int i = 0; i < n; i++) s += a[i]; return s; }
static int one_of(const int *a, int n) { switch (n) { case 0: return 1; case 1: return many(a, n); case 2: give_up("two"); default: return 2; } }
static int found(const int *a, int n) { for (int i = 0; i < n; i++) if (a[i] == n) return i; return -1; }
static int macro(int n) { do { n += 2; n ^= 3; n *= 5; n -= 7; } while (0); return n; }
struct list { struct list *next; };
static int length(const struct list *l) { int n = 0; while (l) { n++; l = l->next; } return n; }
int main(void)
{
	int *a = allocate(9 * sizeof *a);
	struct list two = { NULL }, one = { &two };
	for (int i = 0; i < 9; i++)
		a[i] = i;
	int sum = told(a, 3) + marked(a, 4) + attribute(a, 5) + sometimes(a, 3);
	sum += always(a, 3) + in_arm(a, 9) + one_of(a, 1) + found(a, 4) + macro(6) + length(&one);
	printf("%d\n", sum);
	return 0;
}
