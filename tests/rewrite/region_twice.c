#include <stdio.h>
int main(void)
{
	for (int i = 0; i < 2; i++) {
#pragma sis cr step begin
		printf("a%d\n", i);
#pragma sis end cr
#pragma sis cr step begin
		printf("b%d\n", i);
#pragma sis end cr
	}
	return 0;
}
