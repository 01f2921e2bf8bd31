# SPDX-License-Identifier: BSD-3-Clause
# SIS_OVERHEAD and constructs of OpenMP that take nanoseconds: regions of free locks, of critical
# constructs, and of tasks that are executed where they are created are turned off. Those that wait
# stay on, waits are found all the same, and what was off is said.
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"

rungs() { query '[.[0].turned_down[] | "\(.region) \(.rung)"] | unique | .[]' show "$EXP"; }
calls() { query "[.[] | select(.region | test(\"^$1\")) | .calls] | add // 0" regions "$EXP"; }
leaf() { query ".overheads.$1 // 0" overhead "$EXP"; }

source_file short.c <<'END'
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
enum { TIMES = 3000000 };
static long count;
int main(void)
{
	omp_lock_t lock;
	omp_init_lock(&lock);
	for (int i = 0; i < TIMES; i++) {
#pragma omp critical(free)
		count++;
		omp_set_lock(&lock);
		count++;
		omp_unset_lock(&lock);
#pragma omp taskwait
#pragma omp taskyield
	}
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 20; i++) {
#pragma omp critical(fight)
		usleep(2000);
	}
	printf("%ld\n", count);
	return 0;
}
END
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "there is none"; continue; }
	SISC_CC=$compiler
	export SISC_CC
	build short short.c -O1 -fopenmp
	SIS_OVERHEAD=5% run 1 2 ./short
	equal "$compiler: prints" "$(cat run.out)" 6000000
	for region in "omp critical@11" omp_set_lock; do
		matches "$compiler: free ones are off: omp $region" "$(rungs)" "^$region off"
	done
	lacks "$compiler: one that waits is on" "$(rungs)" 'critical@21 off'
	equal "$compiler: each wait is counted" "$(calls 'omp critical@21')" 40
	check "$compiler: and timed" awk -v s="$(leaf OSYNC_CRIT)" 'BEGIN { exit !(s > 0.01) }'
	matches "$compiler: text says so" "$(analyze report "$EXP")" \
		'main .* includes .* off: .*critical@11'
	identity "$compiler"
done
unset SISC_CC

# Only gcc's runtime has these tasks as calls of a function that SIS interposes. The program
# computes several times with a budget: on a busy machine the sampler comes late.
source_file tasks.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int begun;
static long fib(int n, int depth)
{
	long a, b;
	if (n < 2)
		return n;
#pragma omp task shared(a) if (depth < 3)
	a = fib(n - 1, depth + 1);
#pragma omp task shared(b) if (depth < 3)
	b = fib(n - 2, depth + 1);
#pragma omp taskwait
	return a + b;
}
static void late(void)
{
#pragma omp task
	{
		begun = 1;
		usleep(150000);
	}
	while (!begun)
		usleep(100);
	for (int i = 0; i < 10; i++) {
#pragma omp task if (0)
		{
#pragma omp taskwait
		}
	}
#pragma omp taskwait
}
int main(int argc, char **argv)
{
	long sum = 0;
	int times = argc > 1 ? atoi(argv[1]) : 1;
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		for (int i = 0; i < times; i++)
			sum = fib(32, 0);
		late();
	}
	printf("%ld\n", sum);
	return 0;
}
END
build tasks tasks.c -O1 -fopenmp
SIS_OVERHEAD=5% run 1 2 ./tasks 10
equal "tasks: prints" "$(cat run.out)" 2178309
matches "tasks: those that are calls are off" "$(rungs)" '^omp task body@(10|12) off'
matches "tasks: and their construct" "$(rungs)" '^omp task@(10|12) off'
matches "tasks: which ones is said" "$(analyze report "$EXP")" \
	'omp task body@(10|12) .*if executed at once, off from'
check "tasks: the others are nodes" test "$(calls 'omp task body@(10|12)')" -ge 14
check "tasks: a wait after some that are calls is found" \
	awk -v s="$(leaf OSYNC_TASKWAIT)" 'BEGIN { exit !(s > 0.02) }'
identity "tasks"
SIS_OVERHEAD=off run 1 2 ./tasks
equal "tasks, off: each is measured" "$(calls 'omp task body@')" 7049165
