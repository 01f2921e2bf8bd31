/* flags: -O2 */
#include <stdio.h>
#define PART static inline __attribute__((always_inline))
PART int equal(const char *a, const char *b, int most) { int n = 0; for (int i = 0; i < most; i++) n += a[i] == b[i]; return n; }
static inline int maybe(const char *a, int n) { int s = 0; while (n--) s += a[n] > 0; return s; }
static int longest(const char *a, const char *b) { return equal(a, b, 4); }
int main(void)
{
	printf("%d %d\n", longest("abcd", "abef"), maybe("abc", 4));
	return 0;
}
