/* openmp.c - every construct of OpenMP that has a mnemonic, at least once. */
#include <omp.h>
#include <stdio.h>

static int v[64];

static void worksharing(void)
{
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < 64; i++)
			v[i] = i;
#pragma omp sections
		{
#pragma omp section
			v[0]++;
#pragma omp section
			v[1]++;
		}
#pragma omp single
		v[2]++;
#pragma omp masked
		v[3]++;
#pragma omp barrier
#pragma omp scope
		{
#pragma omp atomic
			v[4]++;
		}
#pragma omp critical
		v[5]++;
#pragma omp loop bind(parallel)
		for (int i = 0; i < 64; i++)
			v[i]++;
#pragma omp flush
	}
#pragma omp parallel for ordered
	for (int i = 0; i < 4; i++) {
#pragma omp ordered
		v[6] += i;
	}
#pragma omp parallel sections
	{
#pragma omp section
		v[7]++;
	}
#pragma omp simd
	for (int i = 0; i < 64; i++)
		v[i] += 2;
}

static void tasks(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		{
#pragma omp task
			v[8]++;
#pragma omp taskyield
		}
#pragma omp taskloop
		for (int i = 0; i < 8; i++)
			v[i]++;
#pragma omp taskwait
	}
#pragma omp parallel for
	for (int i = 0; i < 64; i++) {
		if (i == 60) {
#pragma omp cancel for
		}
		v[i]++;
	}
}

static void devices(void)
{
#pragma omp target map(tofrom : v)
	v[9]++;
#pragma omp teams num_teams(1)
	{
#pragma omp distribute
		for (int i = 0; i < 64; i++)
			v[i]++;
	}
}

int main(void)
{
	omp_lock_t lock;
	omp_depend_t later;
	omp_init_lock(&lock);
	omp_set_lock(&lock);
	omp_unset_lock(&lock);
#pragma omp depobj(later) depend(inout : v)
#pragma omp depobj(later) destroy
	worksharing();
	tasks();
	devices();
	printf("%d\n", omp_get_max_threads() > 0 && v[8] > 0);
	return 0;
}
