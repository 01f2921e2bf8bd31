# SPDX-License-Identifier: BSD-3-Clause
# What rules, `sis-analyze control`, MPI_Pcontrol and the program have off for a part of the run is
# in the results: what, from when to when, by which of them, and in whose time it is.
. "$(dirname "$0")/../lib.sh"

build prog -O1 --sis-cr=CR_F,CR_P "$HERE/was_off.c"
place="was_off.c:[0-9]+"
# obey RULES ARGUMENT...: a run with rules
obey() {
	printf '%s\n' "$1" >rules
	shift
	SIS_RULES=rules run_alone 1 ./prog "$@"
}
# off FILTER: of what was off but for `measure disable`, which leaf has
off() { query ".[0].switched_off[] | select(.cause != \"measure disable\") | $1" show "$EXP"; }
includes() { query '[.[] | select(.includes_off | length > 0) |
	"\(.region): \(.includes_off | join(" "))"] | unique | .[]' regions "$EXP"; }
# everywhere WHAT PATTERN: report, show and regions have the line
everywhere() {
	for by in report show regions; do
		matches "$1: $by says it" "$(analyze $by "$EXP")" "^  $2\$"
	done
}

echo "== a rule without a condition"
obey 'off leaf' 100
everywhere "off leaf" "leaf \([^ ]*$place\): off from [0-9.]+ s on, by rules:1 \(off leaf\)"
equal "as JSON" "$(off '"\(.what) \(.region) \(.cause) \(.rule) \(.action) \(.times) \(.to)"')" \
	"region leaf rule rules:1 off leaf 1 null"
equal "it was off all the time but for the start" "$(off '.seconds + .from' | cut -c 1-7)" \
	"$(query '.t_p' overhead "$EXP" | cut -c 1-7)"
equal "both functions that call it include its time, and no other one" "$(includes)" "other: leaf
solve: leaf"
matches "so the report says" "$(analyze report "$EXP")" \
	"^  solve \(.*\) includes 1 region that is off: leaf"
matches "and that of the region" "$(analyze report "$EXP" --region solve)" \
	"^  leaf \(.*\): off from .* by rules:1 \(off leaf\)"
equal "it has no times" "$(query '[.[] | select(.region == "leaf")] | length' regions "$EXP")" 0
identity "off leaf"

echo "== conditions"
obey 'period 5ms
when value(step) > 50 then off leaf
when value(step) > 400 then on leaf' 450
everywhere "off and on" \
	"leaf \([^ ]*$place\): off from [0-9.]+ s to [0-9.]+ s, by rules:2 \(off leaf\)"
equal "the time is from the one moment to the other" \
	"$(off '(.to - .from - .seconds) * 1e9 | round | . * . <= 1')" true
equal "it is in the rows of regions" "$(query '.[] | select(.region == "leaf") | .switched_off[] |
	"\(.what) \(.cause) \(.rule) \(.action) \(.times) \(.from < .to)"' regions "$EXP" |
	sort -u)" \
	"region rule rules:2 off leaf 1 true"
matches "... and of CSV" "$(analyze regions "$EXP" --csv)" \
	'^leaf,.*""cause"":""rule"",""rule"":""rules:2"",""action"":""off leaf""'
equal "the functions around it include it" "$(includes)" "other: leaf
solve: leaf"
obey 'period 1ms
when calls(leaf) > 0 then off leaf else on leaf' 1000
times=$(off .times)
check "a rule that acts again and again ($times times)" test "$times" -gt 2
everywhere "again and again" \
	"leaf .*: off $times times, [0-9.]+ s in all, from .*, by rules:2 .*"
equal "... has one row" "$(query '.[0].n' sql "SELECT count(*) AS n FROM switched_off o JOIN
	(SELECT max(id) AS id FROM experiment) e ON e.id = o.experiment WHERE what = 'region'")" 1
check "... and not more time than there is between" test "$(off \
	'.seconds > 0 and .seconds < (.to // 1000) - .from')" = true
obey 'off *' 50
everywhere "off *" "[0-9]* regions \(hot, leaf, other, solve\): off from .* by rules:1 \(off \*\)"
equal "of regions that are off for the same time, none includes another" "$(includes)" \
	"main: leaf other solve"

echo "== how the process ends"
obey 'off leaf' 50 kill
everywhere "killed" "leaf .*: off from [0-9.]+ s on, by rules:1 \(off leaf\)"
equal "killed: the functions include it" "$(includes | tr '\n' ' ')" "other: leaf solve: leaf "
obey 'off leaf' 50 fork
equal "fork: each process has its own times" "$(off '"\(.processes) of \(.of), \(.times)"')" \
	"2 of 2, 2"
equal "fork: the functions include it" "$(includes | tr '\n' ' ')" "other: leaf solve: leaf "

echo "== other ways to measure"
for setting in SIS_PATCH=0 SIS_TRACE=1 SIS_TIMING=1/16 SIS_TIMING=sample; do
	printf 'off leaf\n' >rules
	SIS_RULES=rules run_alone 1 env "$setting" ./prog 50
	equal "$setting: the functions include it" "$(includes | tr '\n' ' ')" \
		"other: leaf solve: leaf "
	identity "$setting"
done
printf 'period 5ms\n%s\n%s\n' 'when value(step) > 50 then trace off, counters off solve' \
	'when value(step) > 400 then trace on, counters on solve' >rules
SIS_RULES=rules SIS_TRACE=1 SIS_PMETRIC=MINFLT run_alone 1 ./prog 450
matches "the trace: regions of an interval says it, too" \
	"$(analyze regions "$EXP" --from 0 --to 0.01)" "^  the trace: off from "
everywhere "the trace" "the trace: off from [0-9.]+ s to [0-9.]+ s, by rules:2 \(trace off\)"
everywhere "counters" \
	"counters of solve .*: off from [0-9.]+ s to [0-9.]+ s, by rules:2 \(counters off solve\)"
equal "counters: the region is measured" "$(includes)" ""
printf 'period 10ms\nwhen value(step) > 50 then off hot\n' >rules
SIS_OVERHEAD=5% SIS_RULES=rules run_alone 1 ./prog 400 hot
matches "what a rule has off is said to be off" "$(analyze report "$EXP")" \
	"^  hot .*: off from .*by rules:2 \(off hot\)"
equal "... and not to be timed again" "$(query '.[0] |
	(.switched_off[] | select(.region == "hot") | .from) as $from | .turned_down[] |
	select(.region == "hot" and .rung == "full" and .["from"] > $from) | .rung' show "$EXP")" ""

echo "== by hand"
run_behind live ./prog 20000
await "the profile is there" grep -q "$EXP/proc-.*[.]sis" "/proc/$behind/maps"
analyze control "$behind" off solve >state 2>&1
matches "control turns a region off" "$(cat state)" '^solve +solve +off +rule +1$'
kill -9 "$behind"
wait "$behind" 2>/dev/null
everywhere "a command" "solve .*: off from [0-9.]+ s on, by sis-analyze control \(off solve\)"
matches "a command: who includes it" "$(includes)" "main: solve"

echo "== pauses"
source_file pauses.c <<'END'
#include <mpi.h>
#include <sis/sis.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; rank && i < 3; i++) {
		MPI_Pcontrol(0);
		MPI_Pcontrol(0);
		usleep(20000);
		MPI_Pcontrol(1);
	}
	SIS_PAUSE();
	usleep(10000);
	SIS_RESUME();
	MPI_Finalize();
	return 0;
}
END
build pauses pauses.c --sis-cr=CR_P,CR_MPI
SIS_UNIFY=1 run 2 1 ./pauses
check "the profile of all ranks is one file" test -e "$EXP/ranks.sis"
everywhere "MPI_Pcontrol" "the measurement: off 3 times, [0-9.]+ s in all, from .* s to .*, \
in 1 of 2 processes, by MPI_Pcontrol"
everywhere "SIS_PAUSE" "the measurement: off from .* s to .*, by SIS_PAUSE"
# what the causes say, and what the units have: the same, to the rounding of each, and of the clock
apart=$(query '.[].d' sql "SELECT max(abs(d)) AS d FROM (SELECT u.id, sum(w.off_ns) -
	(SELECT sum(o.ns) FROM overhead o WHERE o.pu = u.id AND o.leaf = 'UNMEASURED') AS d
	FROM processing_unit u JOIN switched_off w ON w.experiment = u.experiment
	AND w.process = u.process AND w.thread = u.thread
	WHERE u.experiment = (SELECT max(id) FROM experiment) GROUP BY u.id)")
check "all pauses are the time that was not measured ($apart ns)" test "$apart" -le 200
equal "they are in the rows of regions" "$(query '[.[] | select(.type == "RT_UNMEASURED") |
	"\(.process): \(.switched_off | map(.cause) | sort | join(" "))"] | unique | .[]' \
	regions "$EXP")" "0: SIS_PAUSE
1: MPI_Pcontrol SIS_PAUSE"

echo "== copies"
analyze export --format json "$EXP" >copy.json && analyze export --format xml "$EXP" >copy.xml
for copy in copy.json copy.xml; do
	"$ANALYZE" import --db "$T/$copy.db" "$copy" >/dev/null 2>&1
	equal "$copy has it" \
		"$("$ANALYZE" report --db "$T/$copy.db" --json | jq -c .switched_off)" \
		"$(analyze report "$EXP" --json | jq -c .switched_off)"
done
"$ANALYZE" merge --db "$T/merged.db" "$T/sis.db" >/dev/null 2>&1
equal "merge takes all rows along" \
	"$("$ANALYZE" sql --db "$T/merged.db" --csv \
		"SELECT count(*), count(region) FROM switched_off")" \
	"$(analyze sql --csv "SELECT count(*), count(region) FROM switched_off")"
