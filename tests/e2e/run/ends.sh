# SPDX-License-Identifier: BSD-3-Clause
# Programs that end while threads or ranks are still running, and runs with wrong settings.
# asleep: its truth is time asleep, which ends later on a busy machine
# ci: it runs many programs
. "$(dirname "$0")/../lib.sh"
calls() { query "[.[] | select(.region == \"$1\") | .calls] | add // 0" regions "$EXP"; }
seconds() { query "[.[] | select(.region == \"$1\") | .wtime_incl] | add // 0" regions "$EXP"; }

cp "$HERE/ends.c" .
build ends "-I$E2E/include" ends.c -O1 -fopenmp
for how in exit _exit quick_exit abort; do
	run_alone 2 ./ends $how
	equal "$how in a team: status and output" \
		"$run_status $(cat run.out)" \
		"$([ $how = abort ] && echo 134 || echo 3) out"
	check "$how in a team: what both threads did is there" test \
		"$(query '[.[] | select(.region == "rest") | .thread] | unique | length' regions \
			"$EXP")" = 2
	equal "$how in a team: complete" \
		"$(query '.[0].complete' import "$EXP")" \
		"$([ $how = exit ] && echo true || echo false)"
	equal "$how in a team: its state is recorded" \
		"$(query '.[0].processes[0].state' show "$EXP")" \
		"$(case $how in exit) echo ended ;; abort) echo signal ;; *) echo aborted ;; esac)"
	identity "$how in a team"
done
run_alone 1 ./ends
equal "a thread outlives main: status and output" "$run_status $(cat run.out run.err)" "3 out"
equal "a thread outlives main: complete" "$(query '.[0].complete' import "$EXP")" true
near "a thread outlives main: its time up to the end" \
	"$(query '[.[] | select(.region == "for_ever") | .wtime_incl] | add' regions "$EXP")" \
	0.3
identity "a thread outlives main"

# -- MPI that is not ended -----------------------------------------------------------------------
source_file unended.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "work.h"
int main(int argc, char **argv)
{
	int rank, out = 1, sum;
	const char *how = argc > 1 ? argv[1] : "";
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Allreduce(&out, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	rest(rank && !strcmp(how, "before the other") ? 5200 : 200);
	if (!strcmp(how, "_exit"))
		_exit(0);
	return 0;
}
END
build unended "-I$E2E/include" unended.c -O1
# the launcher stops the other, wherever it is
for how in "return from main" _exit "before the other"; do
	run 2 1 ./unended "$how"
	analyze import "$EXP" >import.out 2>import.err ||
		give_up "no MPI_Finalize, $how: import" import.err
	equal "no MPI_Finalize, $how: both ranks are there" \
		"$(query '[.[] | select(.region == "rest") | .process] | sort | @csv' regions \
			"$EXP")" \
		0,1
	near "no MPI_Finalize, $how: with their time" "$(seconds rest)" 0.4
	equal "no MPI_Finalize, $how: and their messages" "$(calls MPI_Allreduce)" 2
	identity "no MPI_Finalize, $how"
done

# -- no memory left ------------------------------------------------------------------------------
source_file deep.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static int down(int n) { return n ? 1 + down(n - 1) : 0; }
int main(int argc, char **argv)
{
	int depth = down(argc > 1 ? atoi(argv[1]) : 0);
	printf("%d\n", depth);
	return 0;
}
END
build deep deep.c -O0
(
	export SIS_RECURSION=0 # a node for each activation
	ulimit -v 60000
	run_alone 1 ./deep 60000
	echo "$run_status $(cat run.out)" >status
)
runs=$((runs + 1)) EXP=$T/exp$runs
equal "little address space: runs the same" "$(cat status)" "0 60000"
check "little address space: what fits is measured" test "$(calls down)" -gt 1000
matches "little address space: and it is said what is missing" \
	"$(cat run.err; analyze show "$EXP")" \
	'not measured|cannot extend|missing'
identity "little address space"

# -- settings ------------------------------------------------------------------------------------
# hostile NAME VALUE PATTERN: one line says what is wrong with the value, and the program runs as
# without it
hostile() {
	runs=$((runs + 1)) EXP=$T/exp$runs shown=$(printf %.20s "$2" | tr '\n' ' ')
	env "$1=$2" SIS_OUTPUT="$EXP" timeout 60 ./deep 3 >run.out 2>run.err
	equal "$1=$shown: runs the same" "$? $(cat run.out)" "0 3"
	equal "$1=$shown: one line" "$(wc -l <run.err)" 1
	matches "$1=$shown: that says what" "$(cat run.err)" "^sis: warning: .*$3"
	equal "$1=$shown: measured as by default" "$(calls down)" 4
}
long=$(printf '%5000s' x | tr ' ' x)
hostile SIS_ENABLE maybe "SIS_ENABLE 'maybe'"
hostile SIS_ENABLE "$long" "SIS_ENABLE"
hostile SIS_MULTIPLEX some "SIS_MULTIPLEX 'some'"
hostile SIS_LATENCY L1_DCM=fast "SIS_LATENCY 'L1_DCM=fast'"
hostile SIS_LOG loud "SIS_LOG 'loud'"
hostile SIS_RECORDS -1 "SIS_RECORDS '-1'"
hostile SIS_RECORDS 99999999999999999999999 "SIS_RECORDS"
hostile SIS_RECORDS 64X "SIS_RECORDS '64X'"
hostile SIS_RECORDS 17179869184G "SIS_RECORDS"
hostile SIS_TIMING 1/10 "SIS_TIMING '1/10'"
hostile SIS_TIMING 0.1 "SIS_TIMING '0.1'"
hostile SIS_SENSORS often "SIS_SENSORS 'often'"
hostile SIS_SENSORS 1e-9 "SIS_SENSORS '1e-9'"
hostile SIS_UNIFY perhaps "SIS_UNIFY 'perhaps'"
hostile SIS_UNIFY_TIMEOUT soon "SIS_UNIFY_TIMEOUT 'soon'"
hostile SIS_NODES lots "SIS_NODES 'lots'"
hostile SIS_PMETRIC NONSENSE "'NONSENSE'"
hostile SIS_PMETRIC 'PAPI(((' "PAPI"
hostile SIS_PMETRIC "$long" "metric"
hostile SIS_PMETRIC "$(printf 'a\nb')" "metric"
hostile SIS_PMETRIC ',,,' "SIS_PMETRIC"
for output in "$long" "$(printf 'a/\nb')"; do
	shown=$(printf %.20s "$output" | tr '\n' ' ')
	SIS_OUTPUT=$output timeout 60 ./deep 3 >run.out 2>run.err
	equal "SIS_OUTPUT=$shown: runs the same" "$? $(cat run.out)" "0 3"
	check "SIS_OUTPUT=$shown: at most one line" test "$(wc -l <run.err)" -le 1
done

# While the trace is written: threads go on until the profile is closed, and so does what is
# accounted for.
source_file busy.c <<'END'
#include <pthread.h>
#include <unistd.h>
volatile int sum;
static __attribute__((noinline)) void count(void) { sum++; }
static void *for_ever(void *unused) { for (;;) count(); return unused; }
int main(void)
{
	pthread_t thread;
	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, for_ever, NULL);
	usleep(50000);
	return 0;
}
END
build busy busy.c -O1 -pthread --sis-cr=CR_P,CR_F
for i in 1 2 3 4 5; do
	SIS_TRACE=1 run_alone 1 ./busy
	lacks "threads at work when main returns, $i" \
		"$(analyze import "$EXP" 2>&1; query '.[0].warnings[]' show "$EXP")" \
		bookkeeping
done
