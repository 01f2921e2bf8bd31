/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is no variable has the name of a pointer to it: of alloca, and compound literals.
 * expect: stack 3/8 at main
 * expect: literal 2/8 at main
 * expect: list 1/8 at main
 * expect: vla 2/8 at main */
#include "kernel.h"
#include <alloca.h>

struct job { double out; long n; };

static ALONE void fill(double *to, long n)
{
	*to = mix(1, n);
}

static ALONE void work(struct job *job)
{
	job->out = mix(2, job->n);
}

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	double *stack = alloca(8 * sizeof *stack);
	fill(&stack[2], 3 * unit);
	struct job *literal = &(struct job){ 0, 2 * unit };
	work(literal);
	double *list = (double[]){ 1, 2, 3 };
	list[1] = mix(list[2], unit);
	double vla[argc + 3];
	fill(&vla[1], 2 * unit);
	printf("%g %g %g %g\n", stack[2], literal->out, list[1], vla[1]);
	return 0;
}
