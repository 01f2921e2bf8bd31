# SPDX-License-Identifier: BSD-3-Clause
# SIS_RECURSION folds recursion: each call is counted, exclusive times are exact and sum up, and
# there are few nodes, for every kind of recursion and every way to end it.
# ci: it compiles many programs
. "$(dirname "$0")/../lib.sh"

cp "$HERE/recursion.c" .
build recursion "-I$E2E/include" recursion.c -O1 -fno-optimize-sibling-calls -pthread \
	--sis-cr=CR_P,CR_F
gcc -O1 -fno-optimize-sibling-calls -pthread "-I$E2E/include" recursion.c -o plain ||
	give_up "the program compiles"
ulimit -S -s unlimited 2>/dev/null || ulimit -S -s "$(ulimit -H -s)"

calls() { query "[.[] | select(.region == \"$1\") | .calls] | add // 0" regions "$EXP"; }
# nodes of a region
paths() { query "[.[] | select(.region == \"$1\")] | map(.path) | unique | length" regions "$EXP"; }
# Exclusive times below main sum up to its time, to the nanosecond of each; no time is negative.
sums() {
	query 'map(select(.path == "main" or (.path | startswith("main/")))) |
		"\((map(.wtime_excl * 1e9 | round) | add) -
		(.[] | select(.path == "main") | .wtime_incl * 1e9 | round)) \(
		map(select(.wtime_excl < 0)) | length)"' \
		regions "$EXP"
}
complaints() { query '.[0].warnings[]' show "$EXP" | grep -v processors; }
whole() { # whole WHAT: of the last run
	equal "$1: exclusive times are the time of main" "$(sums)" "0 0"
	equal "$1: nothing is said" "$(cat run.err)$(complaints)" ""
	identity "$1"
}

# -- one function, two, many; by depth
run_alone 1 ./recursion down 1000000
equal "a million deep: runs" "$run_status $(cat run.out)" "0 1000000"
equal "a million deep: calls, nodes" "$(calls down) $(paths down)" "1000001 32"
size=$(cat "$EXP"/*.sis | wc -c)
check "a million deep: less than 2 MB ($size)" test "$size" -lt 2000000
whole "a million deep"
run_alone 1 ./recursion mutual 10001
equal "two functions: calls" "$(calls ping) $(calls pong) $(calls leaf)" "5001 5001 1"
equal "two functions: nodes" "$(paths ping) $(paths pong) $(paths leaf)" "32 32 1"
whole "two functions"
run_alone 1 ./recursion fib 20
equal "a tree of calls" "$(calls fib) $(paths fib)" "21891 20"
SIS_RECURSION=5 run_alone 1 ./recursion fib 20
equal "a tree of calls, folded" "$(calls fib) $(paths fib)" "21891 5"
whole "a tree of calls, folded"
run_alone 1 ./recursion orders 21
equal "functions in all orders: all calls" "$(cat run.out) $(($(calls left) + $(calls right)))" \
	"2097152 4194303"
size=$(cat "$EXP"/*.sis | wc -c)
check "functions in all orders: less than 20 MB ($size), with $(paths left) paths" \
	test "$size" -lt 20000000
whole "functions in all orders"
SIS_RECURSION=0 SIS_NODES=100k run_alone 1 ./recursion orders 14
equal "without folding, all paths are there" "$(paths left) $(paths right)" "16384 16383"
run_alone 1 ./recursion ackermann 60
equal "Ackermann's function" "$(cat run.out) $(calls ackermann) $(paths ackermann)" "123 7625 32"
whole "Ackermann's function"
for most in 0 1 7 1024; do
	SIS_RECURSION=$most run_alone 1 ./recursion mutual 101
	equal "SIS_RECURSION=$most: calls" "$(calls ping) $(calls pong)" "51 51"
	equal "SIS_RECURSION=$most: nodes" \
		"$(paths ping)" \
		"$(case $most in 1 | 7) echo $most ;; *) echo 51 ;; esac)"
	whole "SIS_RECURSION=$most"
done
for bad in x -1 1025 3k; do
	SIS_RECURSION=$bad SIS_OUTPUT=$T/bad ./recursion down 50 >run.out 2>run.err
	matches "SIS_RECURSION=$bad is refused" \
		"$(cat run.err)" \
		"^sis: warning: bad SIS_RECURSION '$bad': .*taken as 32"
	rm -rf bad*
done

# -- times: each activation is 2 ms by itself
run_alone 1 ./recursion sleepy 60
slept=$(query '[.[] | select(.region == "sleepy" or .region == "rest") | .wtime_excl] | add' \
	regions "$EXP")
check "exclusive times add up ($slept s)" awk -v t="$slept" 'BEGIN { exit !(t >= 0.122) }'
outermost=$(query '.[] | select(.path == "main/sleepy") | .wtime_incl' regions "$EXP")
check "inclusive time is that of the outermost ($outermost s)" awk -v t="$outermost" -v s="$slept" \
	'BEGIN { exit !(t >= 0.122 && t <= s * 1.01) }'
whole "times"

# -- ways out
for how in first later; do
	run_alone 1 ./recursion jump 20 $how
	equal "jumps to the $how: the same" "$(cat run.out)" "$(./plain jump 20 $how)"
	equal "jumps to the $how: calls" "$(calls jumping) $(paths jumping)" "2020 32"
	whole "jumps to the $how"
done
run_alone 1 ./recursion down 100000 kill
equal "killed in it: calls" "$(calls down) $(paths down)" "100001 32"
equal "killed in it: exclusive times are the time of main" "$(sums)" "0 0"
identity "killed in it"
run_alone 1 ./recursion mutual 10001 kill
equal "killed in two functions: calls" "$(calls ping) $(calls pong) $(paths pong)" "5001 5001 32"
equal "killed in two functions: exclusive times are the time of main" "$(sums)" "0 0"
identity "killed in two functions"
run_alone 1 ./recursion down 1000 exit
equal "exit in it: calls" "$(calls down) $(paths down)" "1001 32"
whole "exit in it"
run_alone 1 ./recursion down 1000 fork
equal "fork in it: the child goes on from where it was" "$(calls down) $(calls leaf)" "2002 1"
identity "fork in it"

# A handler that interrupts the runtime is not measured, and that is counted; all others are.
run_alone 1 ./recursion alarmed 1000
handled=$(calls on_alarm)
equal "signals: calls" "$(($(calls down) - 41 * handled)) $(($(calls ping) - 36 * handled))" \
	"501000 251000"
lacks "signals: nothing is unbalanced" "$(complaints)" "matched no open|ended only because"

# -- metrics and values of an activation
SIS_PMETRIC=WTIME,CTIME run_alone 1 ./recursion mutual 2001
equal "with metrics: calls" "$(calls ping) $(paths ping)" "1001 32"
equal "with metrics: no node has less than its children" \
	"$(query '. as $all | [.[] | . as $n | select(.path | startswith("main")) |
	select(([$all[] | select(.path | startswith($n.path + "/") and
	(.[($n.path | length) + 1:] | contains("/") | not)) |
	.metrics.CTIME] | add // 0) > .metrics.CTIME + 1e-9)] | length' regions "$EXP")" 0
whole "with metrics"
SIS_TIMING=1/16 run_alone 1 ./recursion fib 20
equal "sampled: calls" "$(calls fib)" 21891
SIS_TIMING=1/16 SIS_RECURSION=3 run_alone 1 ./recursion mutual 10001
equal "sampled and folded: calls" "$(calls ping) $(calls pong) $(paths ping)" "5001 5001 3"
identity "sampled and folded"
run_alone 1 ./recursion threads 5000
equal "two threads: calls" "$(calls down)" 10002
identity "two threads"

# -- a trace has each activation where it was
traced() { # traced WHAT CALLS COMMAND...: of down, or ping
	what=$1 wanted=$2
	shift 2
	SIS_TRACE=1 SIS_TRACE_BUFFER=64K run_alone 1 "$@"
	trace_json
	equal "$what: begins" \
		"$(grep -c '^{"ph":"B".*"name":"\(down\|ping\)"' trace.json)" \
		"$wanted"
	equal "$what: ends in order" "$(awk '
		/^{"ph":"[BE]"/ { name = $0; sub(/.*"name":"/, "", name); sub(/".*/, "", name) }
		/^{"ph":"B"/ { open[++depth] = name; if (depth > deepest) deepest = depth }
		/^{"ph":"E"/ { if (open[depth--] != name) wrong++ }
		END { print wrong + 0, depth, (deepest > 2000) }' trace.json)" "0 0 1"
	equal "$what: counted" "$(($(calls down) + $(calls ping)))" "$wanted"
}
traced "traced" 5001 ./recursion down 5000
traced "two functions traced" 2501 ./recursion mutual 5001
traced "traced and killed" 5001 ./recursion down 5000 kill

# -- OpenMP: tasks that wait in folded recursion, teams in it
cp "$HERE/recursion_tasks.c" tasks.c
for compiler in gcc clang-19; do
	build tasks tasks.c -O1 -fopenmp -DUNTIED=untied --sis-cc=$compiler \
		--sis-cr=CR_P,CR_F,CR_OMP
	for threads in 1 4; do
		for most in 2 32; do
			export SIS_RECURSION=$most
			run_alone $threads ./tasks chain 200
			equal "$compiler, $threads, $most: tasks in tasks" \
				"$(cat run.out) $(calls chain)" \
				"200 201"
			identity "$compiler, $threads, $most: tasks in tasks"
		done
		unset SIS_RECURSION
		SIS_RECURSION=2 run_alone $threads ./tasks fib 12
		equal "$compiler, $threads: a tree of tasks" "$(cat run.out) $(calls fib)" "144 465"
		equal "$compiler, $threads: a tree of tasks, nothing is said" \
			"$(cat run.err)$(complaints)" \
			""
		identity "$compiler, $threads: a tree of tasks"
		run_alone $threads ./tasks fib 21
		equal "$compiler, $threads: a large tree of tasks" "$(cat run.out) $(calls fib)" \
			"10946 35421"
		size=$(cat "$EXP"/*.sis | wc -c)
		check "$compiler, $threads: a large tree of tasks takes less than 30 MB ($size)" \
			test "$size" -lt 30000000
		identity "$compiler, $threads: a large tree of tasks"
		SIS_RECURSION=3 run_alone $threads ./tasks teams 20
		equal "$compiler, $threads: teams in recursion" \
			"$(cat run.out) $(calls teams)" \
			"20 21"
		equal "$compiler, $threads: teams in recursion, nothing is said" \
			"$(cat run.err)$(complaints)" \
			""
		identity "$compiler, $threads: teams in recursion"
	done
done

# -- MPI: the file of all ranks
source_file ranks.c <<'END'
#include <mpi.h>
static int down(int n)
{
	int zero = 0, sum = 0;
	if (n % 100 == 0) MPI_Allreduce(&zero, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	return n ? 1 + down(n - 1) + sum : 0;
}
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	int r = down(1000);
	MPI_Finalize();
	return r != 1000;
}
END
build ranks ranks.c -O1 -fno-optimize-sibling-calls --sis-cr=CR_P,CR_F,CR_MPI
for unify in 0 1; do
	SIS_UNIFY=$unify run 2 1 ./ranks
	equal "two ranks, SIS_UNIFY=$unify: calls" \
		"$run_status $(calls down) $(paths down) $(calls MPI_Allreduce)" \
		"0 2002 32 22"
	equal "two ranks, SIS_UNIFY=$unify: nothing is said" "$(cat run.err)$(complaints)" ""
	identity "two ranks, SIS_UNIFY=$unify"
done
