# SPDX-License-Identifier: BSD-3-Clause
# Threads that share a processor: OLOSS_NOCPU is the time in which they were ready to run and had no
# processor. The report states it first, and gives no advice on losses that it explains.
# alone: it needs the processors for itself
. "$(dirname "$0")/../lib.sh"

if ! grep -Eq '^[0-9]+ [0-9]+ [0-9]+$' /proc/thread-self/schedstat 2>/dev/null ||
	! command -v taskset >/dev/null; then
	echo "1..0 # SKIP needs /proc/thread-self/schedstat and taskset"
	exit 0
fi

source_file run.c <<'END'
#include <stdio.h>
static volatile double sum;
static void burn(long n)
{
	for (long i = 0; i < n; i++)
		sum += (double)i;
}
int main(void)
{
	for (int k = 0; k < 5; k++)
#pragma omp parallel
		burn(20000000);
	return sum < 0;
}
END
build run run.c -fopenmp
run_alone 3 taskset -c 0 ./run
share=$(query '.overheads.OLOSS_NOCPU / .t_p' report "$EXP")
matches "three threads on one processor lack it most of the time" \
	"$(awk -v v="$share" 'BEGIN { print (v > 0.5 && v < 1) ? "yes" : v }')" yes
equal "it can use one processor" "$(query .processors report "$EXP")" 1
equal "the mask is stored" "$(query '.[0].affinity' sql \
	'SELECT DISTINCT affinity FROM processing_unit')" 0
report=$(analyze report "$EXP")
matches "the report says so first" "$(printf '%s\n' "$report" | sed -n 3p)" \
	'no processor: 3 processing units shared 1 processor'
equal "the first advice" "$(query '.actions[0].overhead' report "$EXP")" OLOSS_NOCPU
lacks "no advice that it explains" "$(query '.actions[].overhead' report "$EXP")" 'OCTRL|OSYNC'
identity "three threads on one processor"

# Sleeping is no lack of a processor.
source_file sleeper.c <<'END'
#include <unistd.h>
int main(void)
{
#pragma omp parallel
	for (int i = 0; i < 100; i++)
		usleep(2000);
	return 0;
}
END
build sleeper sleeper.c -fopenmp
run_alone 3 taskset -c 0 ./sleeper
matches "three sleepers on one processor" \
	"$(query '.overheads.OLOSS_NOCPU / .t_p < 0.1' report "$EXP")" true

# A kernel without the count: the leaf is not computed, and the reason is said.
if unshare -m true 2>/dev/null; then
	EXP=$T/hidden
	SIS_OUTPUT=$EXP OMP_NUM_THREADS=2 unshare -m sh -c \
		'mount -t tmpfs none /proc && ./run' >run.out 2>run.err
	equal "a program without /proc runs" "$?" 0
	matches "the leaf is not computed" \
		"$(query '.not_computed.OLOSS_NOCPU' overhead "$EXP")" schedstat
	matches "a warning counts the switches" "$(query '.warnings[]' report "$EXP")" \
		'how long their threads had no processor is not known'
fi
