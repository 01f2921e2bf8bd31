# SPDX-License-Identifier: BSD-3-Clause
# Regions, the trace and counters are turned off and on while the program runs: by rules, by an edit
# of their file, and by `sis-analyze control`.
# ci: it runs many programs
. "$(dirname "$0")/../lib.sh"

build prog -O1 "-I$build_dir/include" "$HERE/control.c"
# named REGION FIELD: sum over the regions that a directive names
named() {
	query "[.[] | select(.region == \"$1\" and .type == \"CR_A\") | .$2] | add" regions "$EXP"
}
is_mapped() { grep -q "$EXP/proc-.*[.]sis" "/proc/$pid/maps"; } # the profile of process $pid
lines() { strings -a "$EXP"/*.sis | grep "^$1	"; }
# obey RULES ARGUMENTS...: a run to its end
obey() {
	printf '%s\n' "$1" >rules
	shift
	SIS_RULES=rules run_alone 1 ./prog "$@"
}

echo "== rules without a condition"
obey 'off cheap' 40
equal "the program does not notice" "$(cat run.out run.err)" "solved"
equal "a region that a rule turns off is not measured" "$(named cheap calls)" null
check "all others are" test "$(named solve calls)" -gt 20
obey 'off *
on solve' 40
equal "the last action that names a region counts" \
	"$(named cheap calls) $(named inner calls)" "null null"
check "... and turns it on" test "$(named solve calls)" -gt 20
obey 'off main/*' 20
check "the program stays measured" test "$(query '[.[] | select(.region == "main")] | length' \
	regions "$EXP")" = 1

echo "== conditions"
obey 'period 100ms
off below solve
when time(solve) > 4 * usual(solve) for 150ms
    then on below solve
    else off below solve' 240 100 130
equal "a rule acts when its condition has become true, and when it is no longer" \
	"$(lines rule | cut -f3,4 | tr '\t\n' '  ')" "rules:2 then rules:3 then rules:3 else "
inner=$(named inner calls)
check "it looked deeper only meanwhile ($inner of 2 x $(named solve calls))" \
	test "$inner" -gt 10 -a "$inner" -lt "$(named solve calls)"
obey 'period 20ms
when value(step) > 30 then off solve' 60
matches "the program's own numbers count" "$(lines cause | cut -f3,4)" '^rule	rules:2$'
obey 'period 20ms
when calls(nowhere) > 0 then off solve
when time(nowhere) > 0 then off solve else off cheap' 30
equal "what is not known is neither true nor false" "$(lines rule)" ""

echo "== the trace"
printf 'period 20ms\nwhen value(step) > 20 then trace on\n' >rules
SIS_TRACE=wait SIS_RULES=rules run_alone 1 ./prog 60
trace_json
events=$(grep -c '"solve"' trace.json)
check "a rule starts the trace ($events events)" test "$events" -gt 10

echo "== errors"
obey 'off cheap
when time(solve) then off solve' 20
matches "an error has its place" "$(cat run.err)" \
	"rules:2:18: a number stands before this where a comparison is expected"
check "... and no rule of the file is obeyed" test "$(named cheap calls)" -gt 5
chmod 666 rules
SIS_RULES=rules run_alone 1 ./prog 10
matches "a file that others may write to is not obeyed" "$(cat run.err)" "use chmod go-w"
SIS_RULES=missing run_alone 1 ./prog 10
matches "nor one that is missing" "$(cat run.err)" "SIS_RULES: cannot read 'missing'"
rm -f rules

echo "== while it runs"
: >rules
EXP=$T/live
SIS_OUTPUT=$EXP SIS_RULES=rules ./prog 500 >run.out 2>run.err </dev/null &
pid=$!
await "the profile is there" is_mapped
analyze control "$pid" off inner >state 2>&1
matches "control turns a region off" "$(cat state)" '^inner +inner +off +rule +1$'
analyze control "$EXP" on inner >state 2>&1
matches "... and on again" "$(cat state)" '^inner +inner +on +rule'
analyze control "@$pid" off inner >state 2>&1
matches "a target that is none" "$(cat state)" "neither the directory of a run nor"
analyze control "$EXP" off >state 2>&1
matches "an action that is none" "$(cat state)" "the name of a region or a pattern is expected"
analyze control "$EXP" "when calls(x) > 1 then off x" >state 2>&1
matches "a condition" "$(cat state)" "a condition belongs into the file of SIS_RULES"
equal "only its user may write" "$(stat -c %a "$EXP/control")" 600
echo 'off cheap' >rules.new && mv rules.new rules
await "the file of rules is read again" sh -c "strings -a '$EXP'/*.sis | grep -q '^rule.*rules:1'"
wait $pid
equal "the program ends as without it" "$? $(cat run.out run.err)" "3 solved"
analyze control "$EXP" on cheap >state 2>&1
matches "a run that has ended" "$(cat state)" "no process of '.*' runs any more"
analyze control "$EXP" >state 2>&1
matches "... still shows what was off" "$(cat state)" '^cheap .* off'
check "some of it was measured" test "$(named cheap calls)" -gt 5

echo "== without rules, with some hundred activations in a second"
for setting in SIS_OVERHEAD=off SIS_OVERHEAD=5% SIS_TIMING=1/16 SIS_TRACE=1; do
	EXP=$T/few-${setting%/*}
	env "$setting" SIS_OUTPUT="$EXP" ./prog 1000 >run.out 2>run.err </dev/null &
	pid=$!
	await "$setting: the profile is there" is_mapped
	analyze control "$pid" off inner >state 2>&1
	matches "$setting: a command is obeyed" "$(cat state)" '^inner +inner +off +rule +1$'
	kill -9 $pid
	wait $pid 2>/dev/null || :
done
