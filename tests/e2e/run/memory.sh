# SPDX-License-Identifier: BSD-3-Clause
# Memory that the measurement needs for a node, for an idle thread and for a recursion of any
# depth, and its limits.
. "$(dirname "$0")/../lib.sh"
calls() { query "[.[] | select(.region == \"$1\") | .calls] | add // 0" regions "$EXP"; }

build memory -O1 -fno-optimize-sibling-calls -pthread "$TOP/tests/bench/memory.c"
run_alone 1 ./memory wide 19
equal "a million nodes: runs" "$run_status $(cat run.out run.err)" "0 524287"
size=$(cat "$EXP"/*.sis | wc -c)
check "a million nodes: at most 100 bytes each on the disk, file and chunk heads included ($size)" \
	test "$size" -le 104857600
equal "a million nodes: the process is known to have ended" \
	"$(od -An -tu4 -j32 -N4 "$EXP"/*.sis | tr -d ' ')" \
	2

run_alone 1 ./memory wide 13
equal "all of them are read: calls" "$(calls left) $(calls right)" "8192 8191"
equal "all of them are read: nodes" \
	"$(query '[.[] | select(.region == "left" or .region == "right")] | length' regions \
		"$EXP")" \
	16383
identity "all of them are read"

(ulimit -s unlimited 2>/dev/null; SIS_OUTPUT=$T/deep ./memory deep 100000 >run.out 2>run.err)
EXP=$T/deep
equal "a recursion 100 000 deep: runs" "$(cat run.out run.err)" 100000
equal "a recursion 100 000 deep: calls" "$(calls down)" 100001
identity "a recursion 100 000 deep"

# Tasks that are executed where they are created: our frames are on the stack between them, and
# the stack is not larger.
cat >nested.c <<'END'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static int reached;
static void nest(int levels)
{
	reached++;
	if (levels > 1) {
		#pragma omp task if(0) firstprivate(levels)
		nest(levels - 1);
	}
}
int main(int argc, char **argv)
{
	(void)argc;
	#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == atoi(argv[1]))
		nest(12000);
	return !printf("%d\n", reached);
}
END
for compiler in plain measured; do
	if [ $compiler = plain ]; then
		gcc -O2 -fopenmp nested.c -o nested
	else
		build nested -O2 -fopenmp --sis-cr=CR_F,CR_OMP nested.c
	fi
	for thread in 0 1; do
		runs=$((runs + 1)) EXP=$T/exp$runs
		(ulimit -S -s 8192; SIS_OUTPUT=$EXP ./nested $thread >run.out 2>run.err)
		equal "tasks nested 12 000 deep by thread $thread, $compiler: runs in 8 MB" \
			"$(cat run.out)" \
			12000
	done
done
equal "tasks nested 12 000 deep: calls" "$(calls nest)" 12000
identity "tasks nested 12 000 deep"

# limited LIMIT CALLS: calls are measured while there is room; the others are work of their
# callers, and a warning says so
limited() {
	runs=$((runs + 1)) EXP=$T/exp$runs
	SIS_RECURSION=0 SIS_NODES=$1 SIS_OUTPUT=$EXP ./memory deep 5000 >run.out 2>run.err
	equal "SIS_NODES=$1: runs the same" "$(cat run.out)" 5000
	matches "SIS_NODES=$1: says so" "$(cat run.err)" '^sis: warning: .*SIS_NODES'
	check "SIS_NODES=$1: measured is what it allows" test "$(calls down)" -ge "$2" \
		-a "$(calls down)" -le "$1"
	identity "SIS_NODES=$1"
}
limited 1000 900
limited 20 3
SIS_NODES=0 SIS_OUTPUT=$T/none ./memory deep 5000 >run.out 2>run.err
equal "SIS_NODES=0: runs the same" "$(cat run.out)" 5000

SIS_ENABLE=0 ./memory idle >off.out
run_alone 1 ./memory idle
equal "200 threads at once: all are there" "$(calls once)" 200
bytes=$(($(cat run.out) - $(cat off.out)))
check "an idle thread costs less than 1 MiB of memory ($bytes bytes)" test "$bytes" -lt 1048576
size=$(($(cat "$EXP"/*.sis | wc -c) / 200))
check "and of the disk ($size bytes)" test "$size" -lt 1048576

# A path of 4000 tasks, with a construct in each that others wait at: asking of each what is below
# it took a minute, whenever the second thread had gone the way.
source_file tasks.c <<'END'
#include <stdio.h>
static int seen[5000];

static void visit(int i, int n)
{
	int fresh;
#pragma omp critical
	fresh = !seen[i]++;
	if (fresh && i + 1 < n) {
#pragma omp task
		visit(i + 1, n);
#pragma omp task
		visit(i + 1, n);
#pragma omp taskwait
	}
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	visit(0, 4000);
	printf("%d\n", seen[3999]);
	return 0;
}
END
build tasks tasks.c -O1 -fopenmp --sis-cr=CR_A
for i in 1 2 3; do
	run_alone 2 ./tasks
	equal "a path of 4000 tasks: runs" "$(cat run.out)" 2
	check "a path of 4000 tasks: is analyzed in seconds" timeout 20 "$ANALYZE" import \
		--db "$T/tasks.db" "$EXP"
done
