/* SPDX-License-Identifier: BSD-3-Clause */
/* stacks_team.c - teams of OpenMP, one after the other, for the tests of call stacks. */
static double v[300000];
__attribute__((noinline)) static void solve(int k)
{
#pragma omp parallel for
	for (int i = 0; i < 300000; i++)
		for (int j = 0; j < 20; j++)
			v[i] = v[i] * 0.5 + k;
}
int main(void)
{
	for (int k = 0; k < 60; k++)
		solve(k);
	return 0;
}
