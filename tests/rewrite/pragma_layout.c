#include <stdio.h>
int main(void)
{
	int n = 0;
	#	pragma   sis\
	cr  /* the name */  Part \
		begin // to the end of the line
	n++;
		#pragma sis END Cr
	n++;
_Pragma("sis cr second begin")
	n++;
_Pragma("sis end cr second")
	printf("%d\n", n);
	return 0;
}
