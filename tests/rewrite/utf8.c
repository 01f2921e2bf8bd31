/* flags: --sis-cr=CR_F,CR_L,CR_S */
#include <stdio.h>
static int größe(int zähler) { return zähler * 2; } /* Größe → 2 × Zähler */
int main(void) { for (int é = 0; é < 2; é++) { printf("ü%d\n", größe(é)); } return 0; }
