/* SPDX-License-Identifier: BSD-3-Clause */
/* kinds_work.c - the steps of kinds.c. Their functions call those of kinds_small.c. */
#include "kinds.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned long state = 88172645463325252u;
volatile double kinds_sink;

/* -- tree: a search has some 20 steps, each a comparison by a function of its caller ----------- */

struct node { unsigned long key; struct node *left, *right; };
static struct node *root;

static struct node **find(unsigned long key)
{
	struct node **at = &root;
	while (*at) {
		int order = compare_keys(&key, &(*at)->key);
		if (order == 0)
			break;
		at = order < 0 ? &(*at)->left : &(*at)->right;
	}
	return at;
}

void tree_begin(void)
{
	for (int i = 0; i < 200000; i++) {
		unsigned long key = next_random(&state) >> 40;
		struct node **at = find(key);
		if (!*at && (*at = calloc(1, sizeof **at)))
			(*at)->key = key;
	}
}

void tree_step(void)
{
	long found = 0;
	for (int i = 0; i < 2000; i++)
		found += *find(next_random(&state) >> 40) != NULL;
	kinds_sink = (double)found;
}

/* -- table: a binary search over energies, and an interpolation for each of some nuclides ------ */

enum { ENERGIES = 1 << 16, NUCLIDES = 16 };
static double energy[ENERGIES], section[NUCLIDES][ENERGIES];

static long search(double x)
{
	long low = 0, high = ENERGIES - 1;
	while (high - low > 1) {
		long middle = (low + high) / 2;
		if (energy[middle] <= x)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static double look_up(double x)
{
	long i = search(x);
	double sum = 0;
	for (int n = 0; n < NUCLIDES; n++)
		sum += interpolate(x, energy[i], energy[i + 1], section[n][i], section[n][i + 1]);
	return sum;
}

void table_begin(void)
{
	for (long i = 0; i < ENERGIES; i++) {
		energy[i] = (double)i / ENERGIES;
		for (int n = 0; n < NUCLIDES; n++)
			section[n][i] = (double)(i * n % 97);
	}
}

void table_step(void)
{
	double sum = 0;
	for (int i = 0; i < 10000; i++)
		sum += look_up((double)(next_random(&state) >> 12) / (double)(1ul << 52));
	kinds_sink = sum;
}

/* -- stencil ----------------------------------------------------------------------------------- */

enum { WIDTH = 512 };
static double grid[2][WIDTH][WIDTH];

static void sweep_row(long y)
{
	for (long x = 1; x < WIDTH - 1; x++)
		grid[1][y][x] = point(&grid[0][y][x], WIDTH);
}

void stencil_begin(void)
{
	for (long i = 0; i < WIDTH; i++)
		grid[0][0][i] = grid[0][i][0] = 1;
}

void stencil_step(void)
{
	for (long y = 1; y < WIDTH - 1; y++)
		sweep_row(y);
	for (long y = 1; y < WIDTH - 1; y++)
		for (long x = 1; x < WIDTH - 1; x++)
			grid[0][y][x] = grid[1][y][x];
}

/* -- particles --------------------------------------------------------------------------------- */

enum { PARTICLES = 512 };
static struct { double x, y, z, fx, fy, fz; } particle[PARTICLES];

static void pair_force(int i, int j)
{
	double x = particle[i].x - particle[j].x, y = particle[i].y - particle[j].y,
	       z = particle[i].z - particle[j].z, f = force(x * x + y * y + z * z + 0.01);
	particle[i].fx += f * x, particle[i].fy += f * y, particle[i].fz += f * z;
	particle[j].fx -= f * x, particle[j].fy -= f * y, particle[j].fz -= f * z;
}

void particles_begin(void)
{
	for (int i = 0; i < PARTICLES; i++) {
		particle[i].x = i % 8;
		particle[i].y = i / 8 % 8;
		particle[i].z = i / 64.0;
	}
}

void particles_step(void)
{
	for (int i = 0; i < PARTICLES; i++)
		for (int j = i + 1; j < PARTICLES; j++)
			pair_force(i, j);
}

/* -- random ------------------------------------------------------------------------------------ */

enum { TABLE = 1 << 22 };
static unsigned long *table;

static void update(void)
{
	unsigned long value = next_random(&state);
	table[value & (TABLE - 1)] ^= value;
}

void random_begin(void)
{
	table = calloc(TABLE, sizeof *table);
	if (!table)
		exit(1);
}

void random_step(void)
{
	for (int i = 0; i < 100000; i++)
		update();
}

/* -- bytes: stdio has them in a buffer, so a call takes some nanoseconds ----------------------- */

static FILE *in, *out;

void bytes_begin(void)
{
	in = fopen("/dev/zero", "r");
	out = fopen("/dev/null", "w");
	if (!in || !out)
		exit(1);
}

void bytes_step(void)
{
	int last = 0;
	for (int i = 0; i < 100000; i++) {
		last = last * 31 + fgetc(in);
		fputc(last, out);
	}
	kinds_sink = last;
}
