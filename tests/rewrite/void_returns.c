/* flags: --sis-cr=CR_F,CR_S,CR_STMT -Wno-pedantic */
#include <stdio.h>
static void say(const char *s) { puts(s); }
static void both(int n) { if (n) return say("yes"); return say("no"); }
static _Bool is(int n) { return n > 1; }
static double half(float n) { return n / 2; }
static const char *text(char c) { static char t[2]; t[0] = c; return t; }
int main(void)
{
	both(0), both(1);
	printf("%d %.2f %s\n", is(2), half(3), text('x'));
	return is(0);
}
