/* faults_team.c - uses those parts of the runtime that ask the system for something: a large tree,
 * a team, a fork, values by hand. */
#include <sis/sis.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* more nodes than the first chunks hold */
static int down(int n) { return n ? 1 + down(n - 1) : 0; }

static int children(void)
{
	int sum = 0;
	for (int i = 0; i < 40; i++) { /* more than are searched one by one */
		SIS_PARAMETER(child, i);
		SIS_VALUE(number, i);
		sum += i;
	}
	return sum;
}

int main(void)
{
	int sum = down(4000) + children(), status = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
	sum += children();
	fflush(stdout);
	if (fork() == 0)
		exit(children() != 780);
	wait(&status);
	SIS_FLUSH();
	printf("%d %d\n", sum, status);
	return 5;
}
