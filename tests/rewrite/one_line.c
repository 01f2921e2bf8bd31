/* flags: --sis-cr=CR_F,CR_L,CR_S,CR_IF,CR_BLOCK */
#include <stdio.h>
static int f(int n) { int s = 0; for (int i = 0; i < n; i++) { s += i; } while (s > 9) s -= 2; return s; } static int g(int n) { return f(n) + f(n + 1); }
int main(void) { int a = g(3); if (a) { printf("%d\n", a); } else { puts("none"); } return 0; }
