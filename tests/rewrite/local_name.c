#include <stdio.h>
static int read(int n) { return n; }
int main(void)
{
	int (*MPI_Send)(int) = read;
	int write = MPI_Send(3);
	printf("%d %d\n", write, read(4));
	return 0;
}
