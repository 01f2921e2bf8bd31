/* flags: --sis-cr=CR_F,CR_STMT,CR_IF,CR_SWITCH,CR_BLOCK,CR_L */
#include <setjmp.h>
#include <stdio.h>
static jmp_buf place;
static int turns;
static void back(int n)
{
	longjmp(place, n);
}
int main(void)
{
	setjmp(place);
	if (turns++ < 2)
		back(1);
	if (setjmp(place) == 7)
		printf("left\n");
	else
		back(7);
	switch (setjmp(place)) {
	case 0:
		back(3);
	case 3:
		printf("switched\n");
	}
	if (turns++ < 5)
		back(3);
	printf("%d turns\n", turns);
	return 0;
}
