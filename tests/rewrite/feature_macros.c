/* flags: -std=c99 -pedantic */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#define unused 1
#define region 2
#define cleanup 3
#include <stdio.h>
#include <sys/types.h>
#include <time.h>
int main(void)
{
	struct timespec t = { 0, 0 };
	printf("%d %d\n", (int)sizeof(off_t), nanosleep(&t, 0) + unused + region + cleanup);
	return 0;
}
