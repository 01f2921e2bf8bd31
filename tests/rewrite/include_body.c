/* flags: --sis-cr=CR_F,CR_L,CR_S */
#include "include_header.h"
int main(void)
{
	int s = 0;
#include "include_body.inc"
	printf("%d %d\n", s, from_header(4));
	return 0;
}
