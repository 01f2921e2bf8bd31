/* flags: -fopenmp --sis-cr=CR_OMP */
/* Private copies and reductions: where the probes stand that find their time. */
#include <stdio.h>

struct list { double at[1000]; };
static void join(struct list *to, const struct list *from)
{
	for (int i = 0; i < 1000; i++)
		to->at[i] += from->at[i];
}
#pragma omp declare reduction(join : struct list : join(&omp_out, &omp_in)) \
	initializer(omp_priv = (struct list){ { 0 } })

static int sum(int n, int *a, struct list given)
{
	int s = 0;
	struct list all = { { 0 } };
#pragma omp parallel for reduction(+ : a[ : n])
	for (int i = 0; i < n; i++)
		a[i % 3]++;
#pragma omp parallel reduction(join : all) firstprivate(n)
	{
		int mine = n;
		all.at[0] += mine > 0;
	}
#pragma omp parallel default(none) shared(a, given, n, all) num_threads(2) reduction(+ : s)
	{
#pragma omp for firstprivate(given) schedule(dynamic) nowait
		for (int i = n - n; i < 2; i++)
			given.at[i] = i;
#pragma omp for reduction(join : all)
		for (int i = 0; i < 2; i++)
			all.at[i]++;
#pragma omp sections firstprivate(given)
		{
			s += given.at[0] == 0;
#pragma omp section
			s++;
		}
	}
#pragma omp parallel firstprivate(given) num_threads(1)
#pragma omp task firstprivate(given)
	given.at[0]++;
#pragma omp parallel num_threads(1)
#pragma omp single firstprivate(given)
	s += given.at[0] == 0;
	return s + all.at[1];
}
int main(void)
{
	int a[20] = { 0 };
	struct list none = { { 0 } };
	printf("%d\n", sum(20, a, none));
	printf("%d\n", a[0] + a[1] + a[2]);
	return 0;
}
