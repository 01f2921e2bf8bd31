/* flags: --sis-cr=CR_F,CR_L */
#include "sub/outer.h" /* a comment that goes
on */
#include "sub/once.h"
#include "sub/plain.h"
static int table[] = {
#include "sub/table.inc"
};
int main(void)
{
	int n = outer(3) + plain(2) + table[1];
#include "sub/body.inc"
	printf("%d %s %d\n", n, __FILE__, __LINE__);
	return 0;
}
