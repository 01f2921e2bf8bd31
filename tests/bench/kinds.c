/* SPDX-License-Identifier: BSD-3-Clause */
/* kinds.c - kinds of programs that call small functions often: kinds NAME [SECONDS]. Prints the CPU
 * nanoseconds of one step of the kind, over all of the process's threads, so that what threads of
 * the runtime take counts, too. kinds_work.c has the functions that are called. */
#include "kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static const struct { const char *name; void (*begin)(void); void (*step)(void); } kinds[] = {
	{ "tree", tree_begin, tree_step },       { "table", table_begin, table_step },
	{ "stencil", stencil_begin, stencil_step }, { "particles", particles_begin, particles_step },
	{ "random", random_begin, random_step }, { "bytes", bytes_begin, bytes_step },
};

int main(int argc, char **argv)
{
	double seconds = argc > 2 ? atof(argv[2]) : 1;
	for (size_t i = 0; argc > 1 && i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(kinds[i].name, argv[1]) != 0)
			continue;
		kinds[i].begin();
		kinds[i].step();
		double begin = cpu_ns(), now = begin;
		long steps = 0;
		for (; now - begin < seconds * 1e9; now = cpu_ns(), steps++)
			kinds[i].step();
		printf("%s %.3f\n", argv[1], (now - begin) / (double)steps);
		return 0;
	}
	return 2;
}
