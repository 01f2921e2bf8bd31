/* flags: --sis-cr=CR_F,CR_L,CR_ALLOC */
#include <stdio.h>
#include <stdlib.h>
/* GCC's attribute takes a deallocator, clang's does not: gnulib's headers are full of it. */
static void release(void *p) { free(p); }
#if defined __clang__
#define PAIRED __attribute__((__malloc__))
#else
#define PAIRED __attribute__((__malloc__(release, 1), __malloc__))
#endif
static int *numbers(int n) PAIRED;
static int *numbers(int n)
{
	int *p = malloc(n * sizeof *p);
	for (int i = 0; i < n; i++)
		p[i] = i;
	return p;
}
#if !defined __clang__
extern void *never_made(void) __attribute__ ((__malloc__ (release, 1)));
#endif
int main(void)
{
	int *p = numbers(4);
	printf("%d\n", p[3]);
	release(p);
	return 0;
}
