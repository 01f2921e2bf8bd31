/* flags: --sis-cr=CR_F,CR_S,CR_L */
#include <stdio.h>
typedef long place[64];
void _setjmp(place);
static int turns;
static void once(place here)
{
	for (int i = 0; i < 2; i++)
		turns++;
	_setjmp(here);
}
int main(void)
{
	place here;
	once(here);
	printf("%d\n", turns);
	return 0;
}
