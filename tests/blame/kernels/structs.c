/* SPDX-License-Identifier: BSD-3-Clause */
/* Structures are one variable with all their fields.
 * expect: s 3/4 at main
 * expect: t 1/4 at main */
#include "kernel.h"

struct pair { double first, second; };

static void fill(struct pair *p, long first, long second)
{
	p->first = mix(1, first);
	p->second = mix(2, second);
}

int main(int argc, char **argv)
{
	struct pair s, t;
	kernel_begin(argc, argv);
	fill(&s, unit, 2 * unit);
	fill(&t, unit, 0);
	printf("%g %g\n", s.first + s.second, t.first + t.second);
	return 0;
}
