/* flags: -O2 -D_FORTIFY_SOURCE=2 -DTWICE=1 -DGONE=1 -UGONE -DNAME(x)=x##_name */
#include <stdio.h>
#include <string.h>
#if defined _FORTIFY_SOURCE && defined __OPTIMIZE__ && !defined GONE && TWICE == 1
#define N 1
#else
#define N 0
#endif
#ifdef _Float32
#error a type is no macro
#endif
#define REAL _Float32
#define SHOW(x) do { REAL local = (x); printf("%d %d\n", N, (int)local); } while (0)
static void any(char *text, size_t n) { memset(text, 'x', n); }
int main(void)
{
	char a_name[4] = "";
	any(NAME(a), strlen("abc"));
	SHOW(3.0f);
	puts(a_name);
	return 0;
}
