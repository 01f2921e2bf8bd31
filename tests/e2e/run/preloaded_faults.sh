# SPDX-License-Identifier: BSD-3-Clause
# A program that is measured as by sis-analyze run: every call that the runtime makes of the system
# fails, once, and from there on. The program does the same, and what is on the disk can be read.
# ci: it lets many calls fail, one after the other
# parts: 3
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_as_plain.sh"
unset SIS_ASLEEP SIS_OVERHEAD

"$CC" -shared -fPIC -O1 -Wall -Wextra "$HERE/inject.c" -o inject.so -ldl >build.err 2>&1 ||
	give_up "builds inject.so" build.err
"$CC" -w -O1 -g -o program "$HERE/low_limits.c" -pthread 2>build.err ||
	give_up "the program is built" build.err
lib=$build_dir/lib
preload=$T/inject.so:$lib/libsis-mpi.so:$lib/libsis.so:$lib/sis/libsis-annotations.so

# measured EXPERIMENT FAULT: inject.so is the first library, so that the others call it
measured() {
	SIS_OUTPUT=$T/$1 FAULT=$2 timeout -s KILL 60 env SIS_RUN=run SIS_BLAME=1 SIS_LOG=quiet \
		LD_PRELOAD="$preload" ./program >run.out 2>run.err </dev/null
}

./program >plain.out 2>plain.err </dev/null
plain=$?

# faults WHAT KIND: WHAT is measured; KIND + lets all further calls fail
faults() {
	rm -f log
	FAULT_LOG=$T/log measured all 0
	equal "$1, without a fault: status" $? $plain
	calls=$(wc -c <log)
	check "$1: enough calls can fail ($calls)" test "$calls" -gt 60
	: >problems
	for n in $(seq "$calls"); do
		measured "e-$n" "$n$2"
		status=$?
		[ $status = $plain ] || echo "$n: status $status" >>problems
		# another thread of the runtime may have a file open while the program opens its own
		sed 's/, the last one .*//' plain.out >plain.names
		sed 's/, the last one .*//' run.out | cmp -s - plain.names ||
			echo "$n: prints $(diff run.out plain.out)" >>problems
		cmp -s run.err plain.err || echo "$n: says $(head -n 3 run.err)" >>problems
		! ls "e-$n"/proc-*.sis >/dev/null 2>&1 ||
			"$ANALYZE" import --db run.db "e-$n" >out 2>err ||
			grep -q "only empty profiles" err || echo "$n: $(cat err)" >>problems
		rm -rf "e-$n"
	done
	equal "$1, a call${2:+ and all after it} fails: the program does the same" \
		"$(cat problems)" ""
	equal "$1: all time is accounted for" "$(unaccounted)" ""
}

# shellcheck disable=SC2086 # part and parts
set -- ${PART:-1 1}
case $1/$2 in
1/3 | 1/1) faults "profile" "" ;;
esac
case $1/$2 in
2/3 | 1/1) faults "profile" + ;;
esac
case $1/$2 in
3/3 | 1/1) export SIS_TRACE=1 && faults "trace" "" ;;
esac
echo "1..$number"
