/* flags: -fopenmp --sis-cr=CR_F,CR_L,CR_OMP,CR_S */
#include <assert.h>
#include <stdio.h>
int main(void)
{
	printf("%d %s %d\n", __LINE__, __FILE__, __COUNTER__);
#pragma omp parallel
	{
#pragma omp master
		printf("%d\n", __LINE__);
	}
	for (int i = 0; i < 2; i++) {
#pragma sis cr part begin
		printf("%d %s\n", __LINE__, __func__);
#pragma sis end cr
		printf("%d\n", __LINE__);
	}
	assert(__LINE__ == 18);
	printf("%d %d\n", __LINE__, __COUNTER__);
	return 0;
}
