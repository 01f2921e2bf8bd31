/* flags: -O2 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned word(const char *p) { unsigned v; memcpy(&v, p, sizeof v); return v; }
static unsigned checked(unsigned a, unsigned b) { assert(a < 1000); assert(b < 1000); return a * b % 997; }
static int positive(int n) { if (n < 0) abort(); return n + 1; }
static void page(char *p) { memset(p, 'x', 4096); }
static void any(char *p, size_t n) { memset(p, 'y', n); }
static _Noreturn void end(const char *text) { puts(text); exit(0); }
int main(void)
{
	static char text[4096];
	page(text), any(text, 4);
	printf("%x %u %d\n", word(text), checked(30, 40), positive(6));
	end("done");
}
