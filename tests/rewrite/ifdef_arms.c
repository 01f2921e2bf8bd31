/* flags: --sis-cr=CR_F,CR_L,CR_IF -DFAST */
#include <stdio.h>
int main(void)
{
	int s = 0;
#ifdef FAST
	for (int i = 0; i < 4; i++) {
#else
	for (int i = 0; i < 400; i++) {
#endif
		s += i;
#ifdef FAST
#pragma sis cr fast begin
		s++;
#pragma sis end cr
#endif
	}
	if (s
#ifdef FAST
	    > 3
#endif
	   )
		printf("%d\n", s);
	return 0;
}
