/* SPDX-License-Identifier: BSD-3-Clause */
/* kinds.h - the kinds of programs of kinds.c: each has a beginning and a step of some
 * milliseconds. */
void tree_begin(void), tree_step(void);           /* searches in a binary tree */
void table_begin(void), table_step(void);         /* looks up cross sections, as XSBench does */
void stencil_begin(void), stencil_step(void);     /* five points of a grid */
void particles_begin(void), particles_step(void); /* forces between particles */
void random_begin(void), random_step(void);       /* updates at random places of a table */
void bytes_begin(void), bytes_step(void);         /* reads and writes a byte at a time */

/* in kinds_small.c */
int compare_keys(const void *a, const void *b);
double interpolate(double x, double x0, double x1, double y0, double y1);
double point(const double *row, long width);
double force(double squared);
unsigned long next_random(unsigned long *state);
