/* SPDX-License-Identifier: BSD-3-Clause */
/* Heap blocks in the fields of a structure belong to the structure.
 * expect: panel 3/4 at main
 * expect: b 1/4 at main */
#include "kernel.h"

struct panel { double *left, *right; int n; };

static ALONE void compute(struct panel *panel)
{
	for (int i = 0; i < panel->n; i++) {
		panel->left[i] = mix(i, unit / 4);
		panel->right[i] = mix(i, 2 * unit / 4);
	}
}

int main(int argc, char **argv)
{
	struct panel *panel = malloc(sizeof *panel);
	double b[1];
	kernel_begin(argc, argv);
	panel->n = 4;
	panel->left = malloc(4 * sizeof *panel->left);
	panel->right = malloc(4 * sizeof *panel->right);
	compute(panel);
	b[0] = mix(3, unit);
	printf("%g %g %g\n", panel->left[argc], panel->right[argc], b[0]);
	return 0;
}
