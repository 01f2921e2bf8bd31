/* ompt_team.c - a team with a lock, a single, a task and a loop; with -DOTHER, the object that it
 * is linked with. */
#include <omp.h>
#include <stdio.h>
int other(void);
static int some(void)
{
	int x = 0;
	omp_lock_t lock;
	omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
	{
		omp_set_lock(&lock);
		x++;
		omp_unset_lock(&lock);
#pragma omp single
#pragma omp task
		x++;
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 4; i++)
			;
	}
	return x;
}
#ifdef OTHER
int other(void) { return some(); }
#else
int main(void)
{
	printf("%d\n", some() + other());
	return 0;
}
#endif
