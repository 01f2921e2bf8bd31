/* flags: -fopenmp --sis-cr=CR_L */
#include <stdio.h>
/* A statement more, wherever one may stand: behind labels, in macros, at the end of a block, between declarations. */
#define TRACED(statement) do { _Pragma("sis trace start") statement; _Pragma("sis trace stop") } while (0)
static int classify(int n)
{
	switch (n) {
	case 0:
#pragma sis trace start
		return 1;
	case 1: {
#pragma SIS TRACE \
	Stop
	}
	/* fall through */
	default:
		break;
	}
#pragma sis trace stop
	int sum = n;
#pragma sis trace start
	int more = 2;
	for (int i = 0; i < n; i++) {
		if (i == more)
			goto out;
		sum += i;
	}
out:
#pragma sis trace stop
	return sum;
}
int main(void)
{
	int sum = 0;
	TRACED(sum += classify(0));
#pragma omp parallel reduction(+ : sum) num_threads(2)
	{
#pragma omp master
		{
#pragma sis trace start
		}
#pragma omp for
		for (int i = 0; i < 4; i++)
			sum += classify(i);
#pragma omp single
#pragma omp critical
		{ sum += ({
#pragma sis trace stop
			1; }); }
	}
	printf("%d\n", sum);
	return 0;
}
