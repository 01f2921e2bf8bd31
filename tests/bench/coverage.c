/* SPDX-License-Identifier: BSD-3-Clause */
/* coverage.c - regions that time themselves, called in random order: coverage STEPS SEED prints
 * `REGION SECONDS` of each, inclusive. Beside the probes, each function reads the clock at its
 * begin and end, always. So the truth is of the same run, whatever else the machine does meanwhile.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state;
static volatile uint64_t sink;

static uint64_t random_bits(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* From half to one and a half of `units`, at random. */
static void work(unsigned units)
{
	uint64_t x = random_bits();
	for (uint64_t n = units / 2 + x % units; n > 0; n--)
		__asm__ volatile("imul %0, %0" : "+r"(x));
	sink += x;
}

/* A region calls `inner` some times, and then works itself. */
#define REGION(name, inner, times, units)                              \
	static uint64_t ns_##name;                                      \
	__attribute__((noinline)) static void region_##name(void)       \
	{                                                               \
		uint64_t begin = now_ns();                              \
		for (int i = 0; i < (times); i++)                       \
			inner();                                        \
		work(units);                                            \
		ns_##name += now_ns() - begin;                          \
	}

static void nothing(void)
{
}

REGION(tiny, nothing, 0, 100)
REGION(small, nothing, 0, 300)
REGION(medium, nothing, 0, 1000)
REGION(large, nothing, 0, 10000)
REGION(shared, nothing, 0, 200)
REGION(few, region_shared, 3, 400)
REGION(many, region_tiny, 20, 2000)
REGION(two, region_few, 4, 1000)

/* How often each is called at the top: in so many of 64 draws. */
static const struct { const char *name; void (*call)(void); const uint64_t *ns; int draws; }
regions[] = {
	{ "tiny", region_tiny, &ns_tiny, 12 },	    { "small", region_small, &ns_small, 12 },
	{ "medium", region_medium, &ns_medium, 8 }, { "large", region_large, &ns_large, 1 },
	{ "shared", region_shared, &ns_shared, 8 }, { "few", region_few, &ns_few, 12 },
	{ "many", region_many, &ns_many, 7 },	    { "two", region_two, &ns_two, 4 },
};
enum { REGIONS = sizeof regions / sizeof *regions, DRAWS = 64 };

int main(int argc, char **argv)
{
	unsigned char draw[DRAWS];
	int n = 0;
	if (argc < 3)
		return 2;
	state = 88172645463325252u + (uint64_t)atol(argv[2]) * 7919;
	for (int k = 0; k < REGIONS; k++)
		for (int i = 0; i < regions[k].draws; i++)
			draw[n++] = (unsigned char)k;
	for (long i = atol(argv[1]); i > 0; i--)
		regions[draw[random_bits() % DRAWS]].call();
	for (int k = 0; k < REGIONS; k++)
		printf("region_%s %.9f\n", regions[k].name, (double)*regions[k].ns * 1e-9);
	return 0;
}
