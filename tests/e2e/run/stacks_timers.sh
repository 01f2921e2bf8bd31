# SPDX-License-Identifier: BSD-3-Clause
# SIS_BLAME where the kernel refuses perf_event (deny.c): timers of the threads sample the same
# stacks, each sample stands for the CPU time that it should, and the program does not notice them.
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"

$CC -O1 -I"$TOP/schema" -o dump "$HERE/stacks_dump.c" || give_up "the reader is built"
$CC -O1 -o deny "$HERE/deny.c" || give_up "the filter is built"
# sampled RATE PROGRAM ARGUMENT...: without perf_event; dump.out has all files
sampled() {
	rate=$1
	shift
	SIS_BLAME=$rate run_alone 2 ./deny "$denied" "$@"
	for file in "$EXP"/stacks-*.sis; do ./dump "$file"; done >dump.out
}
denied=perf_event_open
header() { head -n 1 dump.out; }
# weight KIND [PATTERN]: milliseconds in stacks that match
weight() {
	awk -v kind="$1" -v pattern="${2:-.}" '
		$1 == "stack" && $2 == kind && $0 ~ pattern { ns += $5 }
		END { printf "%.0f\n", ns / 1e6 }' dump.out
}
# between WHAT NUMBER LEAST MOST
between() {
	if [ "$2" -ge "$3" ] && [ "$2" -le "$4" ]; then ok "$1: $2"
	else not_ok "$1: $2, not between $3 and $4"; fi
}
sound() { # sound WHAT: the file is well-formed, nothing was lost, accesses are as many as samples
	lacks "$1: the file is sound" "$(cat dump.out)" "^bad"
	equal "$1: no sample is lost" "$(awk '$1 == "thread" { n += $6 } END { print n + 0 }' \
		dump.out)" 0
	equal "$1: each sample has an access" \
		"$(awk '$1 == "access" { n += $6 } END { print n + 0 }' dump.out)" \
		"$(awk '$2 == "self" { n += $4 } END { print n + 0 }' dump.out)"
}
clean() { lacks "$1: nothing else is said" "$(grep -v '^sis: .*perf_event' run.err)" "^sis: "; }

build prog "$HERE/stacks_timers.c" -O1 -g -pthread
build calls "$HERE/stacks.c" -O1 -g -pthread

# -- the method, stacks and weights ---------------------------------------------------------------
sampled 1 ./prog split
equal "status" "$run_status" 0
matches "the user is told what is used and why" "$(cat run.err)" \
	"^sis: warning: SIS_BLAME: the kernel refuses perf_event: Permission denied .*timers of \
the threads are used; [0-9]+ samples a second$"
clean "split"
sound "split"
matches "the experiment says which method" "$(header)" \
	"^state ended method timer rate [0-9]+ metric WTIME$"
matches "and the warning" "$(cat dump.out)" "^text warning.SIS_BLAME: .*timers of the threads"
used=$(cat run.out)
between "all weights together are the CPU time" "$(weight running)" $((used * 95 / 100)) \
	$((used * 101 / 100 + 8))
between "stacks reach the begin of the program" "$(weight running 'prog.0x[^ ]* libc')" \
	$((used * 90 / 100)) $((used + 8))
lacks "no sample is a guess of the sampler" "$(grep '^stack running' dump.out)" 'n---[^:]*:$'
check "sis-analyze imports it" "$ANALYZE" import "$EXP"
matches "and says which method" "$("$ANALYZE" blame "$EXP")" \
	"samples \(timers of the threads' CPU time, [0-9]+ per second\)"
matches "show has the warning" "$("$ANALYZE" show "$EXP")" 'timers of the threads are used'

# Faster than the kernel's tick is not possible: what it cannot do is not said to be so.
sampled 10000hz ./prog split
rate=$(header | sed 's/.* rate \([0-9]*\) .*/\1/')
used=$(cat run.out)
sound "10 kHz"
between "10 kHz: the rate is at most that of a tick" "$rate" 1 1000
between "10 kHz: and its samples stand for the CPU time" "$(weight running)" \
	$((used * 95 / 100)) $((used * 101 / 100 + 8))
sampled 50hz ./prog split
used=$(cat run.out)
matches "50 Hz: slower than a tick" "$(header)" "method timer rate 50 "
between "50 Hz: samples stand for the CPU time" "$(weight running)" $((used * 95 / 100 - 20)) \
	$((used * 101 / 100 + 20))

# -- threads --------------------------------------------------------------------------------------
sampled 1000hz ./prog threads
sound "threads"
between "threads: weights are the CPU time" "$(weight running 'prog.0x[^ ]* libc')" 990 1150
for ms in 600 300 150; do
	between "a thread with $ms ms" "$(awk -v wanted=$ms '
		$1 == "stack" && $2 == "running" && / libc/ { ms[$3] += $5 / 1e6 }
		END {
			for (slot in ms)
				if (ms[slot] > wanted - 30 && ms[slot] < wanted + 60) found++
			print found + 0 }' dump.out)" 1 1
done
sampled 1 ./prog many
sound "threads one after the other"
between "threads one after the other: weights are the CPU time" \
	"$(weight running 'prog.0x[^ ]* libc')" 300 920

cp "$HERE/stacks_team.c" team.c
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "there is none"; continue; }
	build team team.c --sis-cc=$compiler -O1 -fopenmp
	sampled 1000hz ./team
	equal "$compiler: OpenMP" "$run_status" 0
	sound "$compiler"
	check "$compiler: members of a team have an origin" \
		[ "$(weight running ' origin: .*team.0x')" -ge 20 ]
	check "$compiler: the origin reaches main" grep -q '^stack origin.*team+0x.*libc' dump.out
done
"$SISC" -c -O1 --sis-off -o prog.o "$HERE/stacks_timers.c" && build plain prog.o -pthread
sampled 1000hz ./plain threads
equal "a program without regions runs" "$run_status" 0

# -- processes ------------------------------------------------------------------------------------
sampled 1000hz ./prog forks
equal "a child" "$run_status $(grep child run.err)" "0 child 3"
sound "a child"
equal "a child has a file of its own, by the same method" \
	"$(grep -c '^state ended method timer' dump.out)" 2
between "parent and child: weights are the CPU time" "$(weight running)" 900 1200
sampled 10000hz ./calls executes
equal "exec" "$run_status $(cat run.out)" "0 next"
sampled 1000hz ./calls killed
sound "killed"
matches "killed: its samples are there" "$(header)$(weight running)" \
	"^state running method timer.*[12][0-9][0-9]$"

# -- timers and signals of the program ------------------------------------------------------------
sampled 1000hz ./prog own
equal "all timers and signals are the program's" "$run_status $(grep '^old' run.err)" \
	"0 old 0 wrong 0 strange 0"
sound "all signals"
sampled 1000hz ./prog lowest
equal "a timer of the program's, again and again" "$run_status $(grep '^own' run.err)" \
	"0 own many strange 0"
sound "a timer of the program's"
between "and both count" "$(weight running)" 560 640
sampled 1000hz ./prog sends
equal "signals that look like a timer's have their default action" "$run_status" 0
sampled 1 ./prog holds
equal "signals are held back" "$run_status" 0
sound "signals are held back"
used=$(cat run.out)
between "one signal stands for all periods that end meanwhile" "$(weight running)" \
	$((used * 90 / 100 - 4)) $((used * 101 / 100 + 8))
sampled 1000hz ./prog deletes
equal "timers that the program deletes" "$run_status" 0
sound "timers that the program deletes"
check "timers are made again" [ "$(weight running)" -ge 200 ]
sampled 1000hz ./calls signals
equal "blocked signals are the program's" \
	"$run_status $(grep -v '^sis: ' run.err)$(cat run.out)" "0 waited -1
used 0 old 0 bad 0"
if [ "$(uname -m)" = x86_64 ]; then # other kernels: thread_timer.c, LIMIT
	sampled 4000hz ./calls calls
	equal "no call is interrupted" "$run_status $(cat run.out)" "7 interrupted 0"
	sound "calls"
fi

# -- a pause of the measurement --------------------------------------------------------------------
source_file paused.c <<'END'
#include <sis/sis.h>
static volatile double sink;
__attribute__((noipa)) static void work(long n)
{
	for (long i = 0; i < n; i++)
		sink += i * 0.5;
}
int main(void)
{
	work(60000000);
	SIS_PAUSE();
	work(60000000);
	SIS_RESUME();
	work(60000000);
	return 0;
}
END
build paused paused.c -O1 -g
SIS_BLAME=1 run_alone 1 ./paused
for file in "$EXP"/stacks-*.sis; do ./dump "$file"; done >dump.out
by_clock="$(weight running ' [0-9]+ [0-9]+ n')"
sampled 1 ./paused
sound "SIS_PAUSE"
between "SIS_PAUSE: nodes of $by_clock ms by the clock of perf_event are the same by timers" \
	"$(weight running ' [0-9]+ [0-9]+ n')" $((by_clock * 70 / 100)) $((by_clock * 140 / 100))

# -- both are refused ------------------------------------------------------------------------------
denied=perf_event_open,timer_create
sampled 1000hz ./prog split
equal "no timers: status" "$run_status" 0
matches "no timers: the user is told" "$(cat run.err)" \
	"SIS_BLAME: the kernel refuses perf_event: .*it refuses timers, too: .*no call stack"
matches "no timers: looks" "$(header)" "method look rate 1000 "
lacks "no timers: the file is sound" "$(cat dump.out)" "^bad"
used=$(cat run.out)
between "no timers: looks have nodes" "$(weight running ' n--- -:')" $((used / 10)) $((used * 2))
lacks "no timers: there are no stacks" "$(grep '^stack running' dump.out)" 'prog.0x'
sampled 1000hz ./prog own
equal "no timers: the program's own are refused, too" "$run_status" 1
sampled 1000hz ./prog forks
equal "no timers: a child" "$run_status $(grep -c 'method look' dump.out)" "0 2"

# -- no signal is left -----------------------------------------------------------------------------
denied=perf_event_open
EXP=$T/ignored
(
	for number in $(seq 34 64); do trap '' "$number"; done
	SIS_BLAME=1000hz SIS_OUTPUT=$EXP ./deny "$denied" ./prog split >run.out 2>run.err
)
equal "all real-time signals are ignored: status" $? 0
for file in "$EXP"/stacks-*.sis; do ./dump "$file"; done >dump.out
matches "all real-time signals are ignored: looks" "$(header)" "method look rate 1000 "
matches "and the user is told" "$(cat run.err)" "uses all real-time signals"
