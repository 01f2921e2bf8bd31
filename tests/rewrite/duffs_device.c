/* flags: --sis-cr=CR_F,CR_L,CR_SWITCH,CR_BLOCK */
#include <stdio.h>
static void copy(char *to, const char *from, int count)
{
	int n = (count + 3) / 4;
	switch (count % 4) {
	case 0: do { *to++ = *from++;
	case 3:      *to++ = *from++;
	case 2:      *to++ = *from++;
	case 1:      *to++ = *from++;
		} while (--n > 0);
	}
}
int main(void)
{
	char text[20] = { 0 };
	copy(text, "hello, duff", 11);
	puts(text);
	return 0;
}
