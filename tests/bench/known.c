/* known.c - regions of known length with 0 to a million measured children. Each has a twin that
 * does the same work and is not measured. A region and its twin run one after the other, so that
 * both find the machine in the same state.
 *
 *     known compute|chase TURNS ROUNDS      prints CHILDREN REGION_NS TWIN_NS for each region and
 *                                           round: CPU time
 *
 * compute: the work of a child stays in registers. chase: it follows pointers through 16 MB, one
 * after the other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RING = 1 << 22, KINDS = 5 };
static unsigned *ring; /* NULL: compute */
volatile unsigned result;

static double cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline unsigned work(unsigned i, long turns)
{
	if (ring)
		while (turns--)
			i = ring[i];
	else
		while (turns--)
			i = i * 1664525u + (i >> 3) + 1013904223u;
	return i;
}

static __attribute__((noinline)) unsigned child(unsigned i, long turns) { return work(i, turns); }
static __attribute__((noinline)) unsigned bare(unsigned i, long turns) { return work(i, turns); }

/* region_0 has calls, too, but of no measured child. */
#define REGION(children, calls, call) \
	static __attribute__((noinline)) void region_##children(long turns) \
	{ \
		unsigned i = 0; \
		for (long k = 0; k < calls; k++) \
			i = call(i, turns / calls); \
		result = i; \
	} \
	static __attribute__((noinline)) void twin_##children(long turns) \
	{ \
		unsigned i = 0; \
		for (long k = 0; k < calls; k++) \
			i = bare(i, turns / calls); \
		result = i; \
	}
REGION(0, 1000, bare)
REGION(1000, 1000, child)
REGION(10000, 10000, child)
REGION(100000, 100000, child)
REGION(1000000, 1000000, child)
static const struct { int children; void (*region)(long), (*twin)(long); } kind[KINDS] = {
	{ 0, region_0, twin_0 },
	{ 1000, region_1000, twin_1000 },
	{ 10000, region_10000, twin_10000 },
	{ 100000, region_100000, twin_100000 },
	{ 1000000, region_1000000, twin_1000000 },
};

/* One ring of all elements, in random order. */
static void make_ring(void)
{
	unsigned long long random = 88172645463325252ull;
	ring = malloc(RING * sizeof *ring);
	if (!ring)
		exit(1);
	for (unsigned i = 0; i < RING; i++)
		ring[i] = i;
	for (unsigned i = RING - 1; i > 0; i--) {
		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		unsigned j = (unsigned)(random % i), other = ring[i];
		ring[i] = ring[j];
		ring[j] = other;
	}
}

static double time_one(void (*f)(long), long turns)
{
	double before = cpu_ns();
	f(turns);
	return cpu_ns() - before;
}

int main(int argc, char **argv)
{
	long turns = argc > 2 ? atol(argv[2]) : 0;
	int rounds = argc > 3 ? atoi(argv[3]) : 0;
	if (argc > 1 && strcmp(argv[1], "chase") == 0)
		make_ring();
	for (int r = 0; r < rounds; r++)
		for (int k = 0; k < KINDS; k++) {
			double region = time_one(kind[k].region, turns);
			printf("%d %.0f %.0f\n", kind[k].children, region,
			       time_one(kind[k].twin, turns));
		}
	return 0;
}
