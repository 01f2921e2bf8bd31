#include <stdio.h>
#if __has_attribute(optnone)
#define QUIET __attribute__((optnone))
#elif __has_attribute(__optimize__)
#define QUIET __attribute__((__optimize__(0)))
#endif
#define DEFINE(name) QUIET static int name(int n) { for (int i = 0; i < 3; i++) printf("%d\n", n); return n; }
DEFINE(one)
#if defined __has_c_attribute && __has_c_attribute(nodiscard)
#define SINCE(attribute) __has_c_attribute(attribute)
#else
#define SINCE(attribute) 0
#endif
#define SHOW(x) do { printf("%ld %d\n", (long)SINCE(x), __has_attribute(access)); } while (0)
#ifdef __has_cpp_attribute
static void cpp(void) { puts("C has __has_cpp_attribute"); }
#else
static void cpp(void) { puts("C has no __has_cpp_attribute"); }
#endif
int main(void)
{
	SHOW(deprecated);
	SHOW(gnu::unused);
	cpp();
	return one(0);
}
