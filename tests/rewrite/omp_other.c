/* flags: -fopenmp --sis-cr=CR_OMP,CR_S --sis-explain */
/* Constructs that have no mnemonic of their own are measured as CR_OMPOTHER; `nothing` is nothing. */
#include <omp.h>
#include <stdio.h>
static int calls;
static int count(void) { return ++calls; }
int main(void)
{
	omp_depend_t later;
	int x = 0;
#pragma omp depobj(later) depend(inout : x)
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(depobj : later)
		x = count();
#pragma omp task depend(in : x)
		printf("%d\n", x);
	}
	if (x == 1) {
#pragma omp depobj(later) update(in)
	}
#pragma omp depobj(later) destroy
	if (x)
#pragma omp nothing
		count();
	if (x > 5) {
#pragma omp error at(execution) severity(warning) message("x is large")
	}
	printf("%d %d\n", x, calls);
	return 0;
}
