/* jumps_team.c - longjmp() in the threads of a team. */
#include <setjmp.h>
#include <stdio.h>
static void out(jmp_buf place) { longjmp(place, 1); }
static int attempt(void)
{
	jmp_buf place;
	if (setjmp(place))
		return 1;
	out(place);
	return 0;
}
int main(void)
{
	int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(3)
	for (int i = 0; i < 300; i++)
		sum += attempt();
#pragma omp parallel reduction(+ : sum) num_threads(3)
	{
		jmp_buf place;
		if (setjmp(place) == 0)
			out(place);
		sum++;
	}
	printf("%d\n", sum);
	return 0;
}
