/* own_routines.c - a program that defines memcpy, memset and strlen. */
#include <stddef.h>
#include <stdio.h>
static int copies;
void *memcpy(void *to, const void *from, size_t n)
{
	char *t = to;
	copies++;
	for (const char *f = from; n > 0; n--)
		*t++ = *f++;
	return to;
}
void *memset(void *to, int c, size_t n)
{
	for (char *t = to; n > 0; n--)
		*t++ = (char)c;
	return to;
}
size_t strlen(const char *s)
{
	size_t n = 0;
	while (s[n])
		n++;
	return n;
}
int main(void)
{
	void *(*volatile copy)(void *, const void *, size_t) = memcpy;
	char a[4] = "abc", b[4];
	int before = copies;
	for (int i = 0; i < 10; i++)
		copy(b, a, sizeof a);
	printf("%s %d\n", b, copies - before);
	return 0;
}
