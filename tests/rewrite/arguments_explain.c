/* flags: --sis-cr=CR_IO --sis-explain --sis-exclude=left_out -lm */
/* Why calls in arguments are measured, or not. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int f(int n) { return n + 1; }
static int left_out(int n) { return n + 2; }
static int first(const int *n) { return *n; }
int main(int argc, char **argv)
{
	printf("%d %d\n", f(1), left_out(2));
	printf("%d %zu %zu %g\n", abs(f(-1)), strlen("four"), strlen(argv[argc - 1]) * 0, fabs(-1.5));
	printf("%d %d\n", first((int[]){ f(3) }), __builtin_popcount(f(6)));
	printf("%d\n", f(argc > 9 ? ({ return 1; 0; }) : f(4)));
#pragma sis measure disable
	printf("%d\n", f(5));
#pragma sis measure enable
	free(malloc(f(6)));
	printf("%d\n", f(f(7)));
#pragma sis cr some, CR_S if(argc > 1) begin
	printf("%d\n", f(8));
	f(9);
#pragma sis end cr
#pragma sis cr CR_ALLOC pmetric CTIME if(argc < 9) begin
	free(malloc(f(10) + strlen(argv[f(-1)])));
#pragma sis end cr
	return 0;
}
