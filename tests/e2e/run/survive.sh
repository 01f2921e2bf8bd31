# SPDX-License-Identifier: BSD-3-Clause
# For every way that a run can end, what was measured is kept, and the program ends as without
# measurement.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

cp "$HERE/survive.c" prog.c
build prog "-I$E2E/include" prog.c -O1

# ends HOW STATUS COMPLETE
ends() {
	run_alone 1 ./prog "$1"
	equal "$1: exit status" "$run_status" "$2"
	equal "$1: standard output" "$(cat run.out)" out
	equal "$1: complete is $3" "$(query '.[0].complete' import "$EXP")" "$3"
	seconds=$(query '[.[] | select(.region == "rest") | .wtime_incl] | add' regions "$EXP")
	near "$1: what was measured is there" "$seconds" 0.3
	equal "$1: calls are there" \
		"$(query '[.[] | select(.region == "rest") | .calls] | add' regions "$EXP")" \
		3
	identity "$1"
}
ends return 5 true
ends exit 3 true
ends _exit 4 false
ends abort 134 false
ends assert 134 false
equal "assert: its state is recorded" "$(query '.[0].processes[0].state' show "$EXP")" signal
ends kill 137 false
ends term 143 false
ends segv 139 false
equal "segv: its state is recorded" \
	"$(query '.[0].processes[0] | "\(.state) \(.status) \(.signal)"' show "$EXP")" \
	"signal 11 SIGSEGV"
matches "segv: the report names it" "$(analyze report "$EXP")" 'ended by SIGSEGV'
ends raise 136 false
equal "raise: the signal is recorded" "$(query '.[0].processes[0].signal' show "$EXP")" SIGFPE
ends handler 9 false
equal "handler: the program's own handler is called" \
	"$(query '.[0].processes[0].state' show "$EXP")" aborted
ends exec 6 false

# One rank of two ends the whole run.
cp "$HERE/survive_ranks.c" ranks.c
build ranks "-I$E2E/include" ranks.c -O1
for how in abort kill segv; do
	run 2 1 ./ranks $how
	[ $how != abort ] || equal "MPI_Abort in one rank: exit status" "$run_status" 9
	refuse "$how in one rank is no success" test "$run_status" = 0
	analyze import "$EXP" --json >import.json 2>import.err ||
		give_up "$how in one rank: import" import.err
	equal "$how in one rank: not complete" "$(jq '.[0].complete' import.json)" false
	for rank in 0 1; do
		near "$how in one rank: rank $rank is there" \
			"$(query "[.[] | select(.region == \"rest\" and .process == $rank) |
				.wtime_incl] | add" \
				regions "$EXP")" \
			0.2
	done
	identity "$how in one rank"
	[ $how != segv ] || equal "segv in one rank: it is recorded" \
		"$(query '.[0].processes[1].signal' show "$EXP")" SIGSEGV
	analyze report "$EXP" >report.out 2>&1
	matches "$how in one rank: the report says so" \
		"$(cat report.out)" \
		'not end|incomplete|abort|kill'
done

# A call that is open when its process is killed is classified like others, and the critical path
# covers what is known.
cp "$HERE/survive_open.c" open.c
build open "-I$E2E/include" open.c -O1
seconds_below() { # REGION: of the critical path, in it and below
	query "[.critical_path[] | select(.path | contains(\"$1\")) | .seconds] | add // 0" \
		report "$EXP"
}
for traced in '' 1; do
	SIS_TRACE=$traced run 2 1 ./open
	what="an open receive${traced:+, traced}"
	near "$what: it waited" \
		"$(by_pu | awk '$1 == 1 && $3 == "OSYNC_LATESEND" { print $4 }')" 0.5
	near "$what: what the sender did first is on the path" "$(seconds_below first)" 0.2
	near "$what: what it did afterwards is on the path" "$(seconds_below second)" 0.3
	near "$what: probes are not" "$(seconds_below probe)" 0
	identity "$what"
done

# Polls that are going on at the kill waited, too.
cp "$HERE/survive_polls.c" polls.c
build polls "-I$E2E/include" polls.c -O1
for polls in test probe; do
	run 2 1 ./polls "$polls"
	near "open polls, $polls: they waited" \
		"$(by_pu | awk '$1 == 1 && $3 == "OSYNC_LATESEND" { print $4 }')" 0.5
	identity "open polls, $polls"
done

# A program does not see the runtime's handlers, but the actions that these replaced. Compiled with
# gcc alone, it prints the same.
"$CC" -O1 -o plain "$HERE/signal_actions.c" 2>build.err || give_up "actions, plain" build.err
cp "$HERE/signal_actions.c" actions.c
build actions actions.c -O1
./plain >plain.out
run_alone 1 ./actions
equal "actions of signals: the same answers" "$(cat run.out)" "$(cat plain.out)"
run_alone 1 ./actions crash
equal "the same after a crash" "$(cat run.out)" "$(cat plain.out)"
equal "which has its status" "$run_status" 139
matches "and its name" "$(analyze report "$EXP")" 'ended by SIGSEGV'
