#include <stdio.h>
#define PRAGMA(x) _Pragma(#x)
#define PHASE(name, work) PRAGMA(sis cr name begin) work PRAGMA(sis end cr)
#define OPEN(name) PRAGMA(sis cr name begin) puts("open")
#define CLOSE puts("close"); PRAGMA(sis end cr)
int main(void)
{
	int n = 0;
	PHASE(first, for (int i = 0; i < 3; i++) n += i;)
	PHASE(second, n++;
	      n++;)
	OPEN(third);
	n++;
	CLOSE
	printf("%d %d\n", n, __LINE__);
	return 0;
}
