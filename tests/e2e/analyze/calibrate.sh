# SPDX-License-Identifier: BSD-3-Clause
# calibrate: what measuring costs here, in as few calls as there can be. Only what does not depend
# on time is checked; tests/unit/analysis/answers/test_calibration.c has the arithmetic.
. "$(dirname "$0")/../lib.sh"

export SIS_TRACE=1 SIS_ENABLE=0 SIS_OUTPUT="$T/not-here" OMP_NUM_THREADS=3 # the user's: not used
calibrate() { analyze calibrate --calls 400 --call-time 1us --processes 2 "$@"; }

# -- a measurement
calibrate --depths 2,1,4 --svg cost.svg --json >one.json 2>one.err || give_up "calibrate" one.err
said() { jq -r "$1" one.json; }
equal "its parameters are kept" "$(said '"\(.calls) \(.discarded) \(.call_ns) \(.processes)"')" \
	"400 200 1000 2"
equal "all settings are listed" "$(said '[.settings[].setting] | join(" ")')" "S1 S2 A1 A2 A3 A4 A5"
equal "one that the machine lacks says why" \
	"$(said '[.settings[] | select((.cpus == null) == (.missing == null))] | length')" 0
equal "one core is always there, with both writers" \
	"$(said '[.settings[] | select(.setting == "S1" or .setting == "A1") | .writer,
		(.cpus | test("^[0-9]+$"))] | map(tostring) | join(" ")')" "sync true async true"
# portions of a region in S1, with as many processes
equal "each setting has all portions" \
	"$(said '[.portions[] | select(.setting == "S1" and .kernel == "region") | .portion] |
		join(",")')" "T,floor,I,C,C inside,C outside,C trace,W"
equal "of all processes" "$(said '[.portions[].processes] | unique | join(" ")')" 2
equal "the last setting has all depths" \
	"$(said '([.settings[] | select(.cpus)] | last.setting) as $last | [.portions[] |
		select(.kernel == "region" and .portion == "W" and .setting == $last) | .depth] |
		join(" ")')" "1 2 4"
equal "so there are lines" "$(said '[.fits[] | select(.depths == 3) | .portion] | join(",")')" \
	"T,floor,I,C,C trace,W"
equal "collecting costs something" \
	"$(said '[.portions[] | select(.portion == "C" and .kernel == "region") | .median_ns > 0] |
		all')" true
equal "portions add up" \
	"$(said '[.portions[] | select(.setting == "S1" and .kernel == "region") |
		{(.portion): .mean_ns}] | add |
		(.C - ."C inside" - ."C outside") | fabs < 0.1')" true
for kernel in "omp critical" "pthread_mutex_lock and unlock" "MPI_Iprobe"; do
	equal "$kernel" "$(said "[.portions[] | select(.kernel == \"$kernel\") | .portion] |
		join(\",\")")" "T,floor,C"
done
equal "a metric" "$(said '[.portions[] | select(.kernel == "MINFLT") | .portion] | join(",")')" \
	reading
wanted=0
analyze counters TOT_CYC --json | jq -e '.[0].available' >has.out && wanted=1
equal "one that cannot be read is named, and has no portion" \
	"$(said '[.portions[] | select(.kernel == "TOT_CYC")] | length') \
$(grep -c '^sis-analyze: note: TOT_CYC not measured' one.err)" "$wanted $((1 - wanted))"
equal "writers write events" \
	"$(said '[.writers[] | .written_per_second > 0 and .raw_bytes_per_event >= 4] | all')" true
check "the picture is XML" xmllint --noout cost.svg
equal "with five portions of each setting" "$(grep -c 'class="portion"' cost.svg)" \
	"$(said '[.settings[] | select(.cpus)] | length * 5')"
equal "nothing else stays here" "$(ls -d sis-* not-here 2>/dev/null)" ""

# -- what is kept
equal "it has a number, by which it is shown" "$(analyze calibrate 1 --json)" "$(cat one.json)"
matches "text says what the columns are" "$(analyze calibrate 1)" "^region +S1 +1 +C inside +2"
equal "CSV is the portions" "$(analyze calibrate 1 --csv | wc -l)" \
	"$(($(said '.portions | length') + 1))"
calibrate --settings A1,S1 --depths 1 --regions-only >two.txt 2>&1 || give_up "again" two.txt
lacks "only regions" "$(cat two.txt)" "omp|MPI"
equal "the list" "$(query '[.[] | "\(.id) \(.calls)"] | join(",")' calibrate --list)" \
	"1 400,2 400"
equal "the newest of each machine is compared" \
	"$(query '[.[] | "\(.calibration) \(.setting)"] | join(",")' calibrate --compare)" \
	"2 S1,2 A1"
equal "or those that are named" \
	"$(query '[.[].calibration] | unique | join(",")' calibrate --compare 2 1)" "1,2"
equal "and sums are of their portions" \
	"$(query '[.[] | (.sum_ns - .i_ns - .c_ns - .c_trace_ns - .w_ns) | fabs < 0.1] | all' \
		calibrate --compare 1 2)" true
analyze gc >gc.out 2>&1
equal "gc keeps them" "$(query length calibrate --list)" 2
"$ANALYZE" merge "$T/sis.db" --db "$T/other.db" >merge.out 2>&1 || give_up "merge" merge.out
equal "another repository takes them" \
	"$("$ANALYZE" calibrate 1 --json --db "$T/other.db")" "$(cat one.json)"

# -- exports have those of the experiment's machines
source_file prog.c <<'END'
int main(void) { return 0; }
END
build prog prog.c
SIS_ENABLE=1 SIS_OUTPUT=$T/run.exp ./prog
analyze import run.exp >import.out 2>&1 || give_up "a run is imported" import.out
for format in xml json; do
	analyze export run.exp --format $format -o out.$format ||
		not_ok "$format: it is written"
	"$ANALYZE" import out.$format --db "$T/from_$format.db" >import.out 2>&1 ||
		give_up "$format: it is imported" import.out
	equal "$format: calibrations come with it" \
		"$("$ANALYZE" calibrate 1 --json --db "$T/from_$format.db")" "$(cat one.json)"
	equal "$format: all of them" \
		"$("$ANALYZE" calibrate --list --json --db "$T/from_$format.db")" \
		"$(analyze calibrate --list --json)"
	"$ANALYZE" export run.exp --format $format -o again.$format --db "$T/from_$format.db"
	check "$format: the same comes out of it" cmp out.$format again.$format
	"$ANALYZE" import out.$format --name again --db "$T/from_$format.db" >import.out 2>&1
	equal "$format: none comes twice" \
		"$("$ANALYZE" calibrate --list --json --db "$T/from_$format.db" | jq length)" 2
done
check "XML is by its schema" xmllint --noout --schema "$build_dir/share/sis/experiment.xsd" out.xml
sed 's/ state="plain"/ state="17"/;s/ mean_ns="[^"]*"/ mean_ns="NaN"/' out.xml >odd.xml
"$ANALYZE" import odd.xml --db "$T/odd.db" >odd.out 2>&1
"$ANALYZE" calibrate --compare --db "$T/odd.db" >odd.out 2>&1
check "values that cannot be do no harm" [ $? -le 1 ]
sed 's/<calibration_time calibration="1"/<calibration_time calibration="99"/' out.xml >odd.xml
one_error "rows of a calibration that is not there" 1 'refers to one that is not' \
	"$ANALYZE" import odd.xml --db "$T/odd2.db"

check "one is removed" analyze calibrate --remove 1
equal "and gone" "$(query '[.[].id] | join(",")' calibrate --list)" 2

# -- wrong use
refuses() { # refuses WHAT STATUS PATTERN ARGUMENT...
	what=$1 status=$2 pattern=$3
	shift 3
	one_error "$what" "$status" "$pattern" "$ANALYZE" calibrate --db "$T/sis.db" "$@"
}
refuses "calls" 2 "--calls 'many' is no number from 4 to" --calls many
refuses "too few of them" 2 "--calls '3' is no number" --calls 3
refuses "a time without a unit" 2 "--call-time '500' is no time" --call-time 500
refuses "a time below zero" 2 "--call-time '-1us' is no time" --call-time=-1us
refuses "processes" 2 "--processes '0' is no number from 1" --processes 0
refuses "depths" 2 "--depths '1,,2' is no list" --depths 1,,2
refuses "a depth of nothing" 2 "--depths '0' is no list" --depths 0
refuses "a setting" 2 "no setting 'A9'; there are S1" --settings S1,A9
refuses "a number that is none" 2 "'x' is no number of a calibration" x
refuses "one that is not there" 1 "no calibration 9; .*--list" 9
refuses "to remove" 1 "no calibration 9" --remove 9
refuses "two without --compare" 2 "'2' is one too many; .*--compare" 2 2
one_error "nothing to compare" 1 "no calibration in .*; measure one" \
	"$ANALYZE" calibrate --compare --db "$T/none.db"
refuses "a picture that cannot be written" 1 "cannot write '/nowhere/x.svg'" 2 --svg /nowhere/x.svg

# -- an interrupted measurement leaves nothing
mkdir stopped && cd stopped || exit 1
"$ANALYZE" calibrate --db "$T/stopped.db" --processes 1000 >stop.out 2>stop.err &
child=$!
while [ -z "$(ls -d sis-calibrate-* 2>/dev/null)" ] && kill -0 $child 2>/dev/null; do
	sleep 0.05
done
kill $child
wait $child
equal "interrupted: status" $? 1
matches "it says so" "$(cat stop.err)" "interrupted by signal 15; nothing was stored"
equal "no directory stays" "$(ls -d sis-* 2>/dev/null)" ""
equal "nor anything stored" \
	"$("$ANALYZE" calibrate --list --json --db "$T/stopped.db" | jq length)" 0
cd "$T" || exit 1
