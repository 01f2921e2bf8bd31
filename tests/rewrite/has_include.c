#include <stdio.h>
#define HEADER <sys/types.h>
#if __has_include(<ptrauth.h>) /* of clang alone */
#define PTRAUTH 1
#else
#define PTRAUTH 0
#endif
#if __has_include(<quadmath_weak.h>) /* of GCC alone */
#define QUADMATH 1
#else
#define QUADMATH 0
#endif
#if __has_include(HEADER) && __has_include("include_header.h") && !__has_include("no such file.h")
#define FOUND 1
#endif
#define SHOW(x) do { printf("%d %d %d\n", PTRAUTH, QUADMATH, x); } while (0)
#if PTRAUTH || defined __clang__
static void which(void) { puts("clang's headers"); }
#else
static void which(void) { puts("GCC's headers"); }
#endif
int main(void)
{
	SHOW(FOUND);
	which();
	return 0;
}
