/* flags: -O2 */
#include <stdio.h>
#define PART static inline __attribute__((always_inline))
PART int equal(const char *a, const char *b, int most) { int n = 0; while (n < most && a[n] == b[n]) n++; return n; }
static inline int maybe(const char *a) { int n = 0; while (a[n]) n++; return n; }
static int longest(const char *a, const char *b) { return equal(a, b, 9); }
int main(void)
{
	printf("%d %d\n", longest("abcd", "abef"), maybe("abc"));
	return 0;
}
