/* flags: -finstrument-functions --sis-cr=CR_F,CR_S,CR_STMT */
#include <stdio.h>
static int entered, left;
void __cyg_profile_func_enter(void *function, void *site) __attribute__((no_instrument_function));
void __cyg_profile_func_exit(void *function, void *site) __attribute__((no_instrument_function));
static void count(int *what) __attribute__((no_instrument_function));
static void count(int *what)
{
	++*what;
}
void __cyg_profile_func_enter(void *function, void *site)
{
	count(&entered);
}
void __cyg_profile_func_exit(void *function, void *site)
{
	count(&left);
}
static int twice(int x)
{
	x *= 2;
	return x;
}
int main(void)
{
	int x = twice(3);
	printf("%d %d %d\n", x, entered, left);
	return 0;
}
