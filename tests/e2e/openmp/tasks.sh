# SPDX-License-Identifier: BSD-3-Clause
# Bodies of tasks: each is a region of its construct's file, line and function, and each task is an
# activation of it, with libgomp and libomp.
. "$(dirname "$0")/../lib.sh"

KMP_BLOCKTIME=0 # as OMP_WAIT_POLICY in lib.sh
export KMP_BLOCKTIME
cp "$HERE/tasks.c" "$HERE/tasks_foreign.c" .
# LINE CALLS, as the program says
sed -n '/bodies: [0-9]/{=;s/.*bodies: \([0-9]*\).*/\1/p}' tasks.c | paste -d ' ' - - >wanted

# bodies: LINE CALLS, as measured
bodies() {
	query 'map(select(.type == "CR_OMPTASKBODY")) | group_by(.line_start)[] |
		"\(.[0].line_start) \(map(.calls) | add)"' regions "$EXP"
}

# others: the number of tasks whose body has no place
others() { query 'map(select(.type == "RT_TASK") | .calls) | add // 0' regions "$EXP"; }

# judge WHAT: the last run
judge() {
	equal "$1: prints" "$run_status $(cat run.out)" "0 $printed"
	analyze import "$EXP" >import.out 2>&1
	lacks "$1: what began has ended" \
		"$(cat import.out; analyze show "$EXP")" \
		'matched no open|ended only because|is off by'
	identity "$1"
	equal "$1: each task is an activation of its construct's body" \
		"$(bodies)" "$(cat wanted)"
	equal "$1: tasks of other code have no place" "$(others)" 7
}

# with_compiler COMPILER
with_compiler() {
	for flags in -O0 -O2; do
		title="$1 $flags"
		"$1" $flags -fopenmp -c tasks_foreign.c || give_up "$title compiles"
		"$1" $flags -w -fopenmp tasks.c tasks_foreign.o -o plain || give_up "$title links"
		printed=$(./plain)
		build tasks --sis-cc="$1" $flags -w -fopenmp tasks.c tasks_foreign.o
		run_alone 2 ./tasks
		judge "$title"
		equal "$title: functions" \
			"$(query 'map(select(.type == "CR_OMPTASKBODY") | .unit + " " + .file) |
				unique | join(", ")' regions "$EXP")" \
			"$(echo clauses loops made main nested plain untied | tr ' ' '\n' | sort |
				sed 's/$/ tasks.c/' | paste -s -d , | sed 's/,/, /g')"
		run_alone 2 env SIS_TRACE=1 ./tasks
		judge "$title, traced"
		run_alone 2 env SIS_TIMING=1/8 SIS_PMETRIC=CTIME ./tasks
		judge "$title, sampled, with a metric"
	done
	build only --sis-cc="$1" -w -fopenmp --sis-cr=CR_OMPTASKBODY,CR_S tasks.c tasks_foreign.o
	run_alone 2 ./only
	judge "$1, bodies and calls alone"
	matches "$1: what a body calls is below it" \
		"$(query '.[] | select(.region == "step") | .path' regions "$EXP" | sort -u)" \
		'omp task body@[0-9]*/step$'
	lacks "$1: and nowhere else" \
		"$(query '.[] | select(.region == "step") | .path' regions "$EXP" |
			grep -v 'omp task body@[0-9]*/step$')" .
}

with_compiler gcc
clang=clang-19
if echo 'int main(void) { return 0; }' | $clang -fopenmp -x c - -o none 2>/dev/null; then
	with_compiler $clang
else
	skip "libomp" "there is none"
fi
