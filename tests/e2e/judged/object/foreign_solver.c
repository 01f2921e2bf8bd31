/* A library's function, which is not measured: it uses a processor for that time. */
#include <time.h>

void foreign_solver(double seconds);

static double used(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

void foreign_solver(double seconds)
{
	static volatile double sink;
	double end = used() + seconds;
	while (used() < end)
		for (int i = 0; i < 8000; i++)
			sink = sink * 0.999 + 0.001 * i;
}
