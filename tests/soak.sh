#!/bin/sh
# soak.sh - the runtime for a long time: threads that come and go, nested teams, tasks, signals, forks, pauses.
#
#     tests/soak.sh [SECONDS]        10 minutes if nothing is said; part of `make check-long`
#
# The program counts what it does; the experiment must have the same counts, and all time of all units.
e2e_folder=$(cd "$(dirname "$0")/e2e" && pwd)
. "$e2e_folder/lib.sh"
seconds=${1:-600}
failed=0
not_ok() { number=$((number + 1)) failed=$((failed + 1)); echo "not ok $number - $*"; }

build soak -O1 -fopenmp -pthread "-I$build_dir/include" "$DATA/faults/soak.c"
runs=$((runs + 1)) EXP=$T/exp$runs
SIS_OUTPUT=$EXP timeout $((seconds + 300)) ./soak "$seconds" >run.out 2>run.err
equal "$seconds seconds: ends well, and nothing is said" "$? $(cat run.err)" "0 "
analyze import "$EXP" >import.out 2>import.err || give_up "import" import.err
while read -r region calls; do
	equal "$region: $calls calls" "$(query "[.[] | select(.region == \"$region\" and .type == \"CR_A\") | .calls] | add" regions "$EXP")" "$calls"
done <run.out
equal "values: as many as steps" "$(query '[.[] | .values.number // empty | .count] | add' regions "$EXP")" \
	"$(awk '$1 == "step" { print $2 }' run.out)"
equal "every process ended" "$(query '[.[0].processes[].state] | unique | join(" ")' show "$EXP")" ended
lacks "nothing was lost" "$(query '.[0].warnings[]' show "$EXP")" 'drop|lost|mismatch|unwound|not measured'
size=$(du -sk "$EXP" | cut -f 1)
check "memory does not grow with time ($size KiB)" test "$size" -lt 200000
identity "soak"
echo "$((number - failed)) passed, $failed failed"
[ "$failed" = 0 ]
