/* Every construct that libomp reports, for two threads; what is made of it is counted in
 * ompt.sh. */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static int x;

static void worksharing(void)
{
	int y;
#pragma omp parallel num_threads(2) private(y)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 4; i++)
			usleep(1000);
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < 4; i++)
			usleep(1000);
#pragma omp barrier
#pragma omp for ordered
		for (int i = 0; i < 2; i++)
#pragma omp ordered
			x++;
#pragma omp sections
		{
			usleep(1000);
#pragma omp section
			usleep(1000);
		}
#pragma omp single copyprivate(y)
		y = 1;
#pragma omp masked
		x += y;
	}
}

static void exclusion(omp_lock_t *lock, omp_nest_lock_t *nested)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		x++;
		omp_set_lock(lock);
		x++;
		omp_unset_lock(lock);
		if (!omp_test_lock(lock))
			omp_set_lock(lock);
		omp_unset_lock(lock);
		omp_set_nest_lock(nested);
		omp_set_nest_lock(nested);
		x++;
		omp_unset_nest_lock(nested);
		omp_unset_nest_lock(nested);
	}
}

static void tasks(void)
{
	int a = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp taskgroup
		for (int i = 0; i < 3; i++)
#pragma omp task depend(inout : a)
			a++;
#pragma omp task
		usleep(1000);
#pragma omp taskwait
#pragma omp taskloop grainsize(2)
		for (int i = 0; i < 4; i++)
			usleep(100);
#pragma omp task if(0)
		x++;
	}
	x += a;
}

static void nested(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(2)
		usleep(1000);
#pragma omp parallel if(0)
		usleep(1000);
	}
}

/* Each part may run in another thread. */
static void untied(void)
{
	int done = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 20; i++)
#pragma omp task untied shared(done)
	{
		for (int k = 0; k < 3; k++) {
#pragma omp task shared(done)
			{
#pragma omp atomic
				done++;
			}
#pragma omp taskyield
			usleep(100);
		}
#pragma omp taskwait
		usleep(100);
	}
	x += done;
}

static void cancelled(void)
{
#pragma omp parallel for num_threads(2) schedule(dynamic)
	for (int i = 0; i < 100; i++) {
#pragma omp cancel for if(i > 10)
#pragma omp cancellation point for
	}
}

int main(void)
{
	omp_lock_t lock;
	omp_nest_lock_t nest;
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
	worksharing();
	exclusion(&lock, &nest);
	tasks();
	nested();
	untied();
	cancelled();
	printf("%d\n", x);
	return 0;
}
