#include <stdio.h>
#pragma sis cr CR_OMPFOR
int main(void)
{
#pragma sis cr pmetric ODATA_SEND begin
	puts("nothing is sent");
#pragma sis end cr
#pragma sis cr CR_WHILE pmetric OSYNC_EBAR begin
	puts("no loop");
#pragma sis end cr
#pragma sis cr begin
	puts("nothing asked");
#pragma sis end cr
	return 0;
}
