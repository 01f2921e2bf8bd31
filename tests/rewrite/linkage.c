/* flags: --sis-cr=CR_F,CR_L */
#include <stdio.h>
static inline int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
inline int shared(int n) { return n + 1; }
extern inline int shared(int n);
__attribute__((weak)) int weak(int n) { return n + 2; }
int alias(int n) __attribute__((alias("weak")));
__attribute__((section(".text.special"), noinline)) static int special(int n) { return n + 3; }
__attribute__((constructor)) static void before(void) { puts("before main"); }
__attribute__((destructor)) static void after(void) { puts("after main"); }
int main(void)
{
	printf("%d %d %d %d %d\n", sum(4), shared(1), weak(1), alias(2), special(1));
	return 0;
}
