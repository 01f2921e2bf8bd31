/* flags: --sis-cr=CR_F,CR_L,CR_S */
#include "include_header.h"
#include "include_header_twice.h"
#define WIDE
#include "include_header_twice.h"
int main(void)
{
	printf("%d %d %d\n", from_header(3), narrow(4), wide(5));
	return 0;
}
