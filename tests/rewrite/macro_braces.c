/* flags: --sis-cr=CR_F,CR_L,CR_IF,CR_BLOCK,CR_S */
#include <stdio.h>
#define BEGIN {
#define END }
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define LOOP(n) for (int k = 0; k < (n); k++) printf("k%d\n", k)
#define FUNCTION(name) static int name(int x) { int y = x; while (y > 2) y--; return y; }
FUNCTION(made)
int main(void) BEGIN
	EACH(i, 2)
		printf("i%d\n", i);
	EACH(j, 2) {
		printf("j%d\n", j);
	}
	LOOP(2);
	if (made(5) == 2) BEGIN
		puts("yes");
	END
	return 0;
END
