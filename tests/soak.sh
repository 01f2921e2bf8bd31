#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# soak.sh - the runtime for a long time: threads that come and go, nested teams, tasks, signals,
# forks, pauses, a library that is opened and closed; a third of the time in a run whose trace a
# signal switches on and off, and a third in one whose call stacks are sampled.
#
#     tests/soak.sh [SECONDS]        10 minutes if nothing is said; part of `make check-long`
#
# The program counts what it does; the experiment must have the same counts, and all time of all
# units.
e2e_folder=$(cd "$(dirname "$0")/e2e" && pwd)
. "$e2e_folder/lib.sh"
seconds=${1:-600}
failed=0
not_ok() { number=$((number + 1)) failed=$((failed + 1)); echo "not ok $number - $*"; }

build soak -O1 -fopenmp -pthread "-I$build_dir/include" "$E2E/run/soak.c"
source_file plugin.c <<'END'
#include <sis/sis.h>
#include <stdatomic.h>
void plugged(atomic_long *count)
{
	SIS_REGION(plugged);
	atomic_fetch_add(count, 1);
}
END
build plugin.so -O1 -shared -fPIC "-I$build_dir/include" plugin.c

# soak WHAT SECONDS [NAME=VALUE...]
soak() {
	title=$1 time=$2
	shift 2
	runs=$((runs + 1)) EXP=$T/exp$runs
	env "$@" SIS_OUTPUT="$EXP" timeout $((time + 300)) ./soak "$time" \
		"$T/plugin.so" >run.out 2>run.err
	equal "$title, $time seconds: ends well, and nothing is said" "$? $(cat run.err)" "0 "
	analyze import "$EXP" >import.out 2>import.err || give_up "$title: import" import.err
	while read -r region calls; do
		equal "$title: $region: $calls calls" \
			"$(query "[.[] | select(.region == \"$region\" and .type == \"CR_A\") |
				.calls] | add" \
				regions "$EXP")" \
			"$calls"
	done <run.out
	equal "$title: values, as many as steps" \
		"$(query '[.[] | .values.number // empty | .count] | add' regions "$EXP")" \
		"$(awk '$1 == "step" { print $2 }' run.out)"
	equal "$title: the process has ended, its children by _exit" \
		"$(query '[.[0].processes[].state] | unique | join(" ")' show "$EXP")" \
		"aborted ended"
	# but regions of its signal handler, which has interrupted the runtime: nobody counts them
	lacks "$title: nothing was lost" \
		"$(query '.[0].warnings[]' show "$EXP" | grep -v 'were not measured: .*handler')" \
		'drop|lost|mismatch|unwound|not measured'
	size=$(cat "$EXP"/proc-*.sis | wc -c)
	processes=$(ls "$EXP"/proc-*.sis | wc -l)
	# but by a record for each thread that ended; a child's file is as large as its parent's
	threads=$(query '[.[] | select(.region == "short_lived") | .calls] | add' regions "$EXP")
	each="$((size / processes / 1024)) KiB each of $processes processes, $threads threads"
	check "$title: memory does not grow with time, $each" \
		test "$((size / processes))" -lt $((4000000 + 20 * threads))
	identity "$title"
}
soak profile $((seconds / 3))
soak samples $((seconds / 3)) SIS_BLAME=1000hz
soak trace $((seconds / 3)) SIS_TRACE=wait SIS_TRACE_SIGNAL=USR2
for from in 0 $((seconds / 6)); do
	trace_json --window "$from:$((from + 1))"
	equal "trace: a second of it, from $from on, is whole" \
		"$(cat export.err)$(grep '^wrong' events)" ""
done
check "trace: it was on and off" test "$(query '.[0].trace | map(.events) | add' show "$EXP")" \
	-gt 1000
echo "$((number - failed)) passed, $failed failed"
[ "$failed" = 0 ]
