/* clauses.c - private copies and reductions of OpenMP, and how long they took: the program itself
 * reads the clock. The argument is the construct. Prints the seconds of combining, of making
 * copies, and what was computed. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 3000000, STEPS = 2 };
struct part { double sum; };
static double combining, copying; /* seconds, of all threads */
static double big[N], kept;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
static double compute(int rounds) /* volatile: the compiler must not move it */
{
	volatile double x = 1;
	for (int i = 0; i < rounds * 500; i++)
		x = x * 0.999999 + 1e-6;
	return x;
}
static void add(double *to, double since)
{
	double seconds = now() - since;
#pragma omp atomic
	*to += seconds;
}
static void combine(struct part *to, const struct part *from)
{
	double begin = now();
	to->sum += from->sum + (compute(3000) > 2);
	add(&combining, begin);
}
static void prepare(struct part *part)
{
	double begin = now();
	part->sum = compute(2000) > 2;
	add(&copying, begin);
}
#pragma omp declare reduction(own : struct part : combine(&omp_out, &omp_in)) \
	initializer(prepare(&omp_priv))

static struct part all;
static void loop(void)
{
#pragma omp parallel for reduction(own : all)
	for (int i = 0; i < 8; i++)
		all.sum += compute(100) > 0;
}
static void block(void)
{
#pragma omp parallel reduction(own : all)
	all.sum += compute(100) > 0;
}
static void nowait(void)
{
#pragma omp parallel
	for (int k = 0; k < STEPS; k++) {
#pragma omp for reduction(own : all) nowait
		for (int i = 0; i < 8; i++)
			all.sum += compute(100) > 0;
		kept = compute(1000);
	}
}
static void chunks(void)
{
#pragma omp parallel
	{
#pragma omp for reduction(own : all) schedule(dynamic)
		for (int i = 0; i < 8; i++)
			all.sum += compute(100) > 0;
#pragma omp sections reduction(own : all)
		{
#pragma omp section
			all.sum += compute(100) > 0;
#pragma omp section
			all.sum += compute(100) > 0;
		}
	}
}
static void tasks(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup task_reduction(own : all)
		for (int i = 0; i < 4; i++)
#pragma omp task in_reduction(own : all)
			all.sum += compute(100) > 0;
#pragma omp taskloop reduction(own : all) grainsize(2)
		for (int i = 0; i < 4; i++)
			all.sum += compute(100) > 0;
	}
	copying = 0; /* initial values that tasks give are work of theirs */
}
/* Nothing of the program runs while an array section is combined: only a copy of all shows it. */
static void section(void)
{
	double *a = big;
#pragma omp parallel for reduction(+ : a[ : N])
	for (int i = 0; i < 8; i++)
		a[i] += compute(100) > 0;
	all.sum = a[0] + a[7];
}
static void copies(void)
{
	double begin = now();
#pragma omp parallel firstprivate(big)
	{
		add(&copying, begin);
		big[1] = compute(3000);
		__asm__ volatile("" : : "r"(big) : "memory"); /* all of the copy is needed */
#pragma omp atomic
		all.sum += big[0] + 1;
	}
}
static void loop_copies(void)
{
#pragma omp parallel
	for (int k = 0; k < STEPS; k++) {
		double begin = now();
		int first = 1;
#pragma omp for firstprivate(big) schedule(static)
		for (int i = 0; i < 8; i++) {
			if (first)
				add(&copying, begin);
			first = 0;
			big[i] = compute(1000);
			__asm__ volatile("" : : "r"(big) : "memory");
#pragma omp atomic
			all.sum += big[8] + 1;
		}
	}
}
int main(int argc, char **argv)
{
	static const struct { const char *name; void (*call)(void); } kinds[] = {
		{ "loop", loop }, { "block", block }, { "nowait", nowait }, { "chunks", chunks },
		{ "tasks", tasks }, { "section", section }, { "copies", copies },
		{ "loop_copies", loop_copies },
	};
#pragma omp parallel /* so that OpenMP has started */
	compute(1);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (argc > 1 && kinds[i].name[0] == argv[1][0] &&
		    !__builtin_strcmp(kinds[i].name, argv[1]))
			kinds[i].call();
	printf("%.6f %.6f %g\n", combining, copying, all.sum);
	return kept > 2;
}
