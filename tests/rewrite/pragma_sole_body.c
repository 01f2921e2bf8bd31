/* flags: -fopenmp */
#include <stdio.h>
int main(void)
{
	int n = 1, s = 0;
	if (n)
#pragma omp parallel for reduction(+:s)
		for (int i = 0; i < 10; i++)
			s += i;
	else
#pragma omp parallel
		s = -1;
	while (n-- > 0)
#pragma omp critical
		s++;
	switch (s) {
	case 46:
#pragma omp atomic
		s += 1;
	}
	printf("%d\n", s);
	return 0;
}
