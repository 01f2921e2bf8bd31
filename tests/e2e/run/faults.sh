# SPDX-License-Identifier: BSD-3-Clause
# Every call that the runtime makes of the system fails, once, and from there on. The program
# does not notice, the user gets one message, and what is on the disk can be read.
# ci: it lets many calls fail, one after the other
. "$(dirname "$0")/../lib.sh"

gcc -shared -fPIC -O1 -Wall -Wextra "$HERE/inject.c" -o inject.so -ldl >build.err 2>&1 ||
	give_up "builds inject.so" build.err
build team -O1 -fopenmp "-I$build_dir/include" "$HERE/faults_team.c"

# unaccounted: the experiments so far whose useful work and leaves are not their wall time, and by
# how much
unaccounted() {
	query '.[] | "\(.name) \(.ns)"' sql 'SELECT name, identity_error_ns AS ns FROM experiment
		WHERE identity_error_ns > 1000'
}

# try FAULT: one run; what is wrong with it goes to problems
try() {
	SIS_OUTPUT=$T/e-$1 FAULT=$1 LD_PRELOAD=$T/inject.so timeout 60 ./team >out 2>err </dev/null
	status=$?
	[ "$status" = 5 ] && [ "$(cat out)" = "7120 0" ] ||
		echo "$1: status $status, prints $(cat out)" >>problems
	if grep -v '^sis: warning: .*' err >rest ||
		[ "$(wc -l <err)" -gt 2 ] || [ "$(sort err | uniq -d)" ]; then
		echo "$1: says $(cat err)" >>problems
	fi
	[ ! -d "e-$1" ] || ls "e-$1"/*.sis >/dev/null 2>&1 ||
		echo "$1: leaves a directory of nothing" >>problems
}

: >log
FAULT=0 FAULT_LOG=$T/log LD_PRELOAD=$T/inject.so SIS_OUTPUT=$T/all ./team >out 2>err
equal "without a fault it runs" "$(cat out err)" "7120 0"
calls=$(wc -c <log)
check "enough calls can fail ($calls)" test "$calls" -gt 60

# Killed at any of them: profiles of the other processes can be read. The only errors are that
# there is no profile, or only empty ones.
: >problems
for n in $(seq "$calls"); do
	SIS_OUTPUT=$T/k-$n FAULT=$n FAULT_KILL=1 LD_PRELOAD=$T/inject.so \
		timeout 60 ./team >out 2>err </dev/null
	[ -d "k-$n" ] || continue
	analyze import "k-$n" >out 2>err || grep -q "only empty profiles\|has no profile" err ||
		echo "$n: $(cat err)" >>problems
	rm -rf "k-$n"
done
equal "killed at any call: what is there can be read" "$(cat problems)" ""
equal "killed at any call: all time is accounted for" "$(unaccounted)" ""

for kind in "" +; do
	: >problems
	for n in $(seq "$calls"); do
		try "$n$kind"
	done
	equal "${kind:+from the n-th on }calls fail${kind:+, all}: it runs, and one message says so" \
		"$(cat problems)" ""
	: >unreadable
	for experiment in e-*; do
		analyze import "$experiment" >out 2>err ||
			echo "${experiment#e-}: $(cat err)" >>unreadable
		rm -rf "$experiment"
	done
	equal "${kind:+from the n-th on }calls fail${kind:+, all}: what is there can be read" \
		"$(cat unreadable)" \
		""
	equal "${kind:+from the n-th on }calls fail${kind:+, all}: all time is accounted for" \
		"$(unaccounted)" ""
done
