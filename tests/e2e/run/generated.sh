# SPDX-License-Identifier: BSD-3-Clause
# Functions that a program generates have the names of its perf map, if the map is the process's
# own: whatever is in it, and even if it is gone when the run is imported.
# processor: its programs need one to get enough samples
. "$(dirname "$0")/../lib.sh"
if [ "$(uname -m)" != x86_64 ]; then
	skip "generated functions" "the test has code of x86-64"
	exit 0
fi
"$CC" -O1 -g -o generated "$HERE/generated.c" || give_up "the program is built"

# measure MAP: runs the program with this kind of map, which is removed before the import
measure() {
	rm -rf exp
	timeout 60 "$ANALYZE" run --db run.db --name exp --report report \
		sh -c './generated "$0" 200 >out; status=$?
			pid=$(cat out); rm -f "/tmp/perf-$pid.map" "/tmp/sis-generated-$pid"
			exit $status' "$1" >run.out 2>run.err
	status=$?
}
# path FUNCTION: its call path and file
path() {
	"$ANALYZE" regions --db run.db --json exp 2>/dev/null |
		jq -r "[.[] | select(.region == \"$1\") | \"\(.path) \(.file)\"] | join(\", \")"
}
loop=main/enter/made_call/back/made_loop

measure map
equal "the program is unchanged" "$status $(cat run.err)" "7 "
equal "a function that calls back" "$(path made_call)" "main/enter/made_call jit"
equal "a function with a file" "$(path made_loop)" "$loop /nowhere/script.py"
matches "the report" "$(cat report)" '^made_loop +/nowhere/script.py '
for map in none old other link fifo; do
	if [ $map = other ] && [ "$(id -u)" -ne 0 ]; then
		skip "other: not named" "only root can give files away"
		continue
	fi
	measure $map
	equal "$map: the program is unchanged" "$status $(cat run.err)" "7 "
	equal "$map: not named" "$(path made_call)$(path made_loop)" ""
	matches "$map: the functions around it" "$(path back)" '^main/enter/back '
done
measure large
equal "large: not named" "$status $(path made_loop)" "7 "
matches "large: the report says so" "$(cat report)" '^warning: the perf map .* more than 64 MiB'
measure killed
equal "killed" "$status" 137
matches "killed: the functions around it" "$(path back)" '^main/enter/back '
measure wild
equal "wild: the program is unchanged" "$status $(cat run.err)" "7 "
equal "wild: the experiment is sound" "$("$ANALYZE" regions --db run.db --json exp | jq length \
	>/dev/null && echo sound)" sound
lacks "wild: nothing reaches the terminal" "$("$ANALYZE" regions --db run.db exp)$(cat report)" \
	"$(printf '\033')"
