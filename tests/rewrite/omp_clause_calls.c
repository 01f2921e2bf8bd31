/* flags: -fopenmp --sis-cr=CR_S,CR_OMP --sis-explain */
/* Calls in clauses, in declared reductions and in parameters: no probe may stand there, and the reason is said. */
#include <stdio.h>
struct pair {
	int sum;
};
static int calls;
static int f(int i)
{
	__atomic_fetch_add(&calls, 1, __ATOMIC_SEQ_CST);
	return i;
}
static void join(struct pair *out, const struct pair *in) { out->sum += in->sum; }
static void start(struct pair *p) { p->sum = f(0); }
#pragma omp declare reduction(join : struct pair : join(&omp_out, &omp_in)) initializer(start(&omp_priv))
static int last(int n, int a[f(n)]) { return a[n - 1]; }

int main(void)
{
	struct pair all = {0};
	int v[4] = {1, 2, 3, 4}, x = 1;
#pragma omp parallel for reduction(join : all) num_threads(f(2)) schedule(static, f(2)) if (f(1))
	for (int i = 0; i < 4; i++)
		all.sum += f(v[i]);
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(iterator(k = 0 : f(4)), in : v[f(k)]) if (f(1)) final(f(0)) priority(f(0))
		x = v[0];
#pragma omp taskloop grainsize(f(2)) firstprivate(x)
		for (int i = 0; i < 4; i++)
			v[i] += x;
	}
#pragma omp target teams distribute parallel for num_teams(f(1)) thread_limit(f(2)) map(tofrom : v[f(0) : f(4)]) dist_schedule(static, f(1))
	for (int i = 0; i < 4; i++)
		v[i]++;
#pragma omp simd linear(x : f(1)) safelen(2)
	for (int i = 0; i < 4; i++) {
		v[i] += 1;
		x += 1;
	}
	int(*p)[f(4)] = (int(*)[f(4)])v;
	printf("%d %d %d %d\n", all.sum, last(4, *p), (int)sizeof(int[f(2)]), calls > 0);
	return 0;
}
