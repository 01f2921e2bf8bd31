#include <stdio.h>
#if defined(__has_feature)
#define V 1
#else
#define V 2
#endif
#ifndef __has_extension
#define __has_extension(x) 7
#endif
#define SHOW(x) do { fprintf(stdout, "%d\n", (x) + V); } while (0)
#define SHOW_EXTENSION(x) do { fprintf(stdout, "%d\n", (x) + __has_extension(c_atomic)); } while (0)
#ifdef __has_warning
static int warnings(void) { puts("the compiler answers __has_warning"); return 1; }
#else
static int warnings(void) { puts("the compiler has no __has_warning"); return 0; }
#endif
int main(void)
{
	SHOW(10);
	SHOW_EXTENSION(20);
	return warnings() + V != 2;
}
