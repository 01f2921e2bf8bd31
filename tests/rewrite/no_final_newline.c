#include <stdio.h>
int main(void) { puts("no final newline"); return 0; }