/* flags: --sis-cr=CR_F,CR_IO */
#include <stdio.h>
static int odd(int n);
static int even(int n) { for (int i = 0; i < 0; i++) ; return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { for (int i = 0; i < 0; i++) ; return n == 0 ? 0 : even(n - 1); }
static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(int argc, char *argv[])
{
	if (argc > 1)
		return main(argc - 1, argv);
	printf("%d %d %ld\n", even(10), odd(10), fib(15));
	return 3;
}
