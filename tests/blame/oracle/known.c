/* SPDX-License-Identifier: BSD-3-Clause */
/* known.c - slices that were found by hand: `slice: NAME LINES`, the lines that a variable needs in
 * this run; 0 is the entry of a function. known.sh compares them with those of the oracle.
 *
 * slice: alone 32
 * slice: sum 33 34 35
 * slice: index 34
 * slice: flag 36
 * slice: guarded 36 37 38
 * slice: other 39
 * slice: through 0 22 40
 * slice: pair 42 43
 * slice: block 44 45
 * slice: varied 0 25 26 27 28 46
 * slice: counted 32 42 45 47 48 */
int counted;
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void put(int *to, int value)
{ *to = value; }

static int add(int n, ...)
{ va_list list; int all = 0;
	va_start(list, n);
	for (int i = 0; i < n; i++) all += va_arg(list, int);
	va_end(list); return all; }

int main(void)
{
	int alone = 1; int unused;
	int sum = 0;
	for (int index = 0; index < 3; index++)
		sum += index;
	int flag = 2; int guarded;
	if (flag > 1)
		guarded = 3;
	int other = 4;
	int through; put(&through, 5);
	struct { int left, right; } pair, copy;
	pair.left = 6;
	pair.right = 7;
	int *block = malloc(sizeof *block);
	*block = 8; memcpy(&copy, &pair, sizeof copy);
	int varied = add(2, 9, 10);
	if (alone)
		counted += copy.left;
	return (unused = guarded + other + varied + sum) < 0;
}
