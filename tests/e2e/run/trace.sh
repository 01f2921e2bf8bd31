# SPDX-License-Identifier: BSD-3-Clause
# SIS_TRACE records every activation that the profile counts, for every way to end, by each
# policy and switch. sis-analyze export --format perfetto and show display it.
# alone: what a ring and a window hold depends on the time that writing takes
# ci: it runs many programs
. "$(dirname "$0")/../lib.sh"

cp "$HERE/trace_ranks.c" ranks.c
cp "$HERE/trace_steps.c" steps.c
build ranks ranks.c -O1 -fopenmp "-I$build_dir/include" --sis-cr=CR_F,CR_A,CR_OMP,CR_MPI
build steps "-I$E2E/include" steps.c -O1 "-I$build_dir/include" --sis-cr=CR_P,CR_A

# begun NAME: how often it begins in the exported trace, which has an event a line
begun() { grep -c "^{\"ph\":\"B\".*\"name\":\"$1\"" trace.json; }
# What is wrong: slices that do not begin or end, times that go back.
balance() { grep '^wrong' events; }
trace_of() { query ".[0].trace | map(.$1) | add" show "$EXP"; }
traced() { SIS_TRACE=1 run_alone 1 "$@"; }

# -- all of it: two ranks, two threads
for writer in async sync; do
	SIS_TRACE=1 SIS_WRITER=$writer run 2 2 ./ranks
	equal "$writer: runs" "$run_status$(cat run.err)" 0
	trace_json
	query '.[] | select(.region | IN("run", "probe") | not) |
		"\(.process).\(.thread) \(.region) \(.calls)"' regions "$EXP" |
		awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n }
			END { for (k in sum) print k, sum[k] }' | sort >counted
	jq -r '.traceEvents[] | select(.ph == "B") | "\(.pid - 1).\((.tid - 1) % 4096) \(.name)"' \
		trace.json | sort | uniq -c |
		awk '{ n = $1; sub(/^ *[0-9]+ /, ""); print $0, n }' | sort >begun
	equal "$writer: each activation that the profile counts begins once" \
		"$(diff counted begun)" \
		""
	check "$writer: and these are many" grep -q '^1.1 inner 1000$' begun
	equal "$writer: and ends" "$(balance)" ""
	equal "$writer: no buffer is left behind" "$(ls "$EXP" | grep -c ring)" 0
	identity "$writer"
done
trace_json --process 1 --thread 0
equal "a part of it: one thread" \
	"$(jq -c '[.traceEvents[] | [.pid, .tid]] | unique' trace.json)" \
	"[[2,4097]]"
one_error "a bad window" 2 "write FROM:TO" analyze export "$EXP" --format perfetto --window 3
one_error "a window of another format" 2 "is for format perfetto only" \
	analyze export "$EXP" --format csv --window 1:2

# -- who writes, and why
writer_of() { query '.[0].trace[0] | "\(.writer): \(.reason)"' show "$EXP"; }
for writer in sync async; do
	SIS_WRITER=$writer traced ./steps 5
	equal "SIS_WRITER=$writer: show says so" "$(writer_of)" "$writer: SIS_WRITER=$writer"
done
traced taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')" ./steps 1000
equal "one processor: the threads write themselves" "$run_status $(writer_of)" "0 sync: one processor"
trace_json
equal "one processor: all of it is there" "$(begun inner) $(balance)" "100000 "
if [ "$(nproc)" -gt 1 ]; then
	traced ./steps 5
	equal "several processors: a thread writes" "$(writer_of)" "async: several processors"
fi
SIS_WRITER=sync traced ./steps 1000
check "sync: not compressed" test "$(cat "$EXP"/trace-*.sis | wc -c)" -gt 800000
SIS_WRITER=async traced ./steps 1000
check "async: compressed" test "$(cat "$EXP"/trace-*.sis | wc -c)" -lt 400000
SIS_WRITER=sync SIS_TRACE_POLICY=overwrite traced ./steps 5
equal "overwrite: whoever ends the process writes" "$(writer_of)" \
	"at the end: SIS_TRACE_POLICY=overwrite"

# -- without
run_alone 1 ./steps 10
equal "not asked for: no file" "$(ls "$EXP" | grep -c trace)" 0
one_error "not asked for: says how" 1 "SIS_TRACE=1" analyze export "$EXP" --format perfetto
equal "not asked for: show has none" "$(query '.[0].trace | length' show "$EXP")" 0

# -- ways to end
for end in kill segv abort exit exec; do
	traced ./steps 100 $end
	trace_json
	equal "$end: all of it is there" "$(begun inner) $(begun step) $(balance)" "10000 100 "
	equal "$end: and counted" "$(trace_of events) $(trace_of dropped)" "20201 0"
done
traced ./steps 5 fork
trace_json
equal "fork: each process has its own" \
	"$(jq -c '[.traceEvents[] | select(.ph == "B" and .name == "inner") | .pid] |
	group_by(.) | map(length)' trace.json)" "[510,10]"
equal "fork: balanced" "$(balance)" ""

# -- no room
SIS_TRACE_POLICY=overwrite SIS_TRACE_BUFFER=64K traced ./steps 1000
trace_json
last=$(begun inner)
check "overwrite: the last ones ($last)" test "$last" -gt 5000 -a "$last" -lt 9000
equal "overwrite: up to the end, balanced" "$(begun main) $(balance)" "1 "
equal "overwrite: what is there and what was overwritten is all" \
	"$(($(trace_of events) + $(trace_of dropped)))" 202002
SIS_TRACE_POLICY=overwrite SIS_TRACE_BUFFER=64K traced ./steps 1000 kill
trace_json
last=$(begun inner)
check "overwrite, killed: the last ones ($last)" test "$last" -gt 5000 -a "$last" -lt 9000
equal "overwrite, killed: balanced" "$(balance)" ""
equal "overwrite, killed: what is there and what was overwritten is all" \
	"$(($(trace_of events) + $(trace_of dropped)))" 202001
SIS_TRACE_POLICY=drop SIS_TRACE_BUFFER=16K traced ./steps 300
trace_json
equal "drop: what is there and what was dropped is all" \
	"$(($(trace_of events) + $(trace_of dropped)))" \
	60602
equal "drop: balanced" "$(balance)" ""
SIS_TRACE_BUFFER=16K traced ./steps 1000
equal "block: nothing is dropped" "$(trace_of events) $(trace_of dropped)" "202002 0"
SIS_TRACE_SIZE=256K SIS_WRITER=sync traced ./steps 10000
matches "a limit on size: says what is missing" \
	"$(cat run.err)" \
	'SIS_TRACE_SIZE allows; [0-9]+ events'
check "a limit on size: holds" test "$(cat "$EXP"/trace-*.sis | wc -c)" -le 262500
trace_json
equal "a limit on size: balanced" "$(begun main) $(balance)" "1 "
equal "a limit on size: counted" "$(($(trace_of events) + $(trace_of lost)))" 2020002
SIS_TRACE_BUFFER=16K traced sh -c 'ulimit -f 2000; exec ./steps 100000'
equal "no room on the disk: the program runs" "$run_status" 0
matches "no room on the disk: a warning says so" \
	"$(cat run.err)" \
	'^sis: warning: cannot write to the trace'
equal "no room on the disk: what is missing is counted, whether the end had room or not" \
	"$(($(trace_of events) + $(trace_of lost)))" \
	20200002
trace_json --window 0:0.0001
equal "no room on the disk: balanced" "$(balance)" ""
for end in "" kill; do
	SIS_WRITER=sync SIS_TRACE_BUFFER=16K traced sh -c "ulimit -f 2000; exec ./steps 100000 $end"
	equal "no room on the disk, sync${end:+, killed}: what is missing is counted" \
		"$(($(trace_of events) + $(trace_of lost)))" "$((20200002 - ${#end} / 4))"
done

# -- when
SIS_TRACE=wait run_alone 1 ./steps 30 hand
trace_json
equal "by hand: from start to stop" \
	"$(begun step) $(begun inner) $(begun main) $(balance)" \
	"5 500 1 "
source_file switches.c <<'END'
void start(void)
{
#pragma sis trace start
}
void stop(void)
{
#pragma sis trace stop
}
END
source_file directed.c <<'END'
#include <sis/sis.h>
void start(void), stop(void);
int main(void)
{
	for (int i = 0; i < 20; i++) {
		if (i == 3)
			start();
		if (i == 13) {
#pragma sis trace start
		}
#pragma sis cr step begin
		__asm__ volatile("");
#pragma sis end cr
		if (i == 5)
			stop();
		if (i == 13) {
			SIS_TRACE(stop)
		}
	}
	return 0;
}
END
for flags in "-O1 -Wall -Wextra -Wno-unknown-pragmas -Werror" "-O0 -static" "-O2 -flto"; do
	build directed directed.c switches.c $flags "-I$build_dir/include"
	equal "by directive ($flags): nothing is said" "$(cat build.err)" ""
	SIS_TRACE=wait run_alone 1 ./directed
	trace_json
	equal "by directive ($flags): from start to stop, also of a file without regions" \
		"$run_status $(begun step) $(balance)" \
		"0 4 "
done
run_alone 1 ./directed
equal "by directive: nothing without SIS_TRACE" "$run_status $(ls "$EXP" | grep -c trace)" "0 0"
SIS_TRACE_WINDOW=0+1s run_alone 1 ./directed
equal "when to trace, but not to: nothing is traced" \
	"$run_status $(ls "$EXP" | grep -c trace)" \
	"0 0"
matches "and that is said" \
	"$(cat run.err)" \
	'^sis: warning: SIS_TRACE_WINDOW does nothing without SIS_TRACE=1'
SIS_TRACE=0 SIS_TRACE_WINDOW=0+1s run_alone 1 ./directed
equal "with SIS_TRACE=0 it is not said" "$(cat run.err)" ""
SIS_TRACE_SIGNAL=USR2 traced ./steps 30 signal
trace_json
equal "by signal: on, and off again" "$(begun step) $(begun inner) $(balance)" "5 500 "
SIS_TRACE_SIGNAL=SIGUSR2 traced ./steps 30 own
equal "by signal: one that the program takes for itself is its own" "$run_status" 2
matches "by signal: a warning says so" "$(cat run.err)" '^sis: warning: the program took the signal'
SIS_TRACE_REGION=step:100-120 traced ./steps 300
trace_json
equal "by activations of a region: these" \
	"$(begun step) $(begun inner) $(begun main) $(balance)" \
	"21 2100 1 "
SIS_TRACE_WINDOW=200ms+200ms traced ./steps 40 rest
trace_json
some=$(begun step)
check "in a window: what was then ($some)" test "$some" -ge 3 -a "$some" -le 12
equal "in a window: balanced" "$(balance)" ""
traced ./steps 40 rest
trace_json --window 0.2:0.4
some=$(begun step)
check "a window of the export: what was then ($some)" test "$some" -ge 3 -a "$some" -le 12
equal "a window of the export: balanced" "$(begun main) $(balance)" "1 "
equal "a window of the export: within it" \
	"$(jq '[.traceEvents[] | select(.ph == "B" or .ph == "E") | .ts |
	. >= 200000 and . <= 400000] | all' trace.json)" true

# -- wrong settings
for bad in SIS_TRACE=maybe SIS_TRACE_WINDOW=5 SIS_TRACE_REGION=step SIS_TRACE_SIGNAL=KILL \
	SIS_TRACE_POLICY=hope \
	SIS_TRACE_BUFFER=-1 SIS_TRACE_SIZE=much SIS_WRITER=later SIS_WRITER_CPU=x; do
	SIS_OUTPUT=$T/bad env "$bad" ./steps 1 >out 2>err
	equal "$bad: one line, and it runs" \
		"$? $(wc -l <err) $(grep -c "^sis: warning: bad ${bad%%=*} " err)" \
		"0 1 1"
	rm -rf bad
done
for bad in SEGV sigbus FPE ILL TRAP SYS ABRT STOP CHLD PIPE ALRM TTIN 11 32 0 99; do
	SIS_TRACE_SIGNAL=$bad SIS_TRACE=1 SIS_OUTPUT=$T/bad ./steps 1 2>err
	equal "SIS_TRACE_SIGNAL=$bad: refused, with what can be used" \
		"$? $(wc -l <err) $(grep -c "^sis: warning: bad .* '$bad': use USR1, .* TERM" \
			err)" \
		"0 1 1"
	rm -rf bad
done
for good in USR1 SIGUSR2 hup int QUIT TERM 10 34; do
	SIS_TRACE_SIGNAL=$good SIS_TRACE=1 SIS_OUTPUT=$T/bad ./steps 1 2>err
	equal "SIS_TRACE_SIGNAL=$good: taken" "$? $(cat err)" "0 "
	rm -rf bad
done
SIS_TRACE_SIGNAL=SEGV SIS_TRACE=1 SIS_OUTPUT=$T/bad timeout 20 ./steps 1 fault 2>err
equal "SIS_TRACE_SIGNAL=SEGV: a fault ends the program" "$?" 139
rm -rf bad

# -- damage
traced ./steps 1000
file=$(ls "$EXP"/trace-*.sis)
size=$(wc -c <"$file")
cp "$file" whole.sis
head -c $((size / 2)) whole.sis >"$file"
trace_json
equal "half a file: what is whole is there" "$(begun main) $(balance)" "1 "
{ head -c $((size / 3)) whole.sis; printf 'damage'; tail -c +$((size / 3 + 7)) whole.sis; } >"$file"
trace_json
equal "damaged in the middle: the rest is there" "$(begun main) $(balance)" "1 "
matches "damaged in the middle: says so" "$(cat export.err)" 'damaged'
echo nothing >"$file"
one_error "no trace at all" 1 "not a trace of SIS|truncated" analyze export "$EXP" --format perfetto

: >"$file"
one_error "an empty trace: said" 1 "^sis-analyze: error: export: the traces in .* are empty" \
	analyze export "$EXP" --format perfetto
traced ./steps 5 fork
file=$(ls "$EXP"/trace-*.sis | tail -n 1)
: >"$file"
trace_json
equal "an empty trace: the other one is there" "$(begun main) $(balance)" "1 "
matches "an empty trace: said" "$(cat export.err)" '^sis-analyze: warning: 1 traces are empty'
echo nothing >"$file"
trace_json
equal "one that is no trace: the other one is there" "$(begun main) $(balance)" "1 "
matches "one that is no trace: said" "$(cat export.err)" \
	"^sis-analyze: warning: .*${file##*/}: (not a trace of SIS|truncated).*left out"
equal "one that is no trace: show has the other one" "$(query '.[0].trace | length' show "$EXP")" 1

# -- a trace that is not whole: the causes of its process are estimates, and that is said
SIS_TRACE=1 run 2 2 ./ranks
for command in "show" "report" "waits" "waits --culprits"; do
	equal "whole traces: $command says nothing" "$(analyze $command "$EXP" | grep -c traces)" 0
done
file=$(ls "$EXP"/trace-*.sis | tail -n 1)
size=$(wc -c <"$file")
cp "$file" whole.sis
head -c $((size - 10)) whole.sis >"$file"
rm -f sis.db
for command in "show" "report" "waits" "waits --culprits"; do
	matches "an incomplete trace: $command says so" "$(analyze $command "$EXP")" \
		'causes .* estimated for 1 of 2 processes, .* incomplete files: 1\)'
done

# -- every call of the system fails, one after the other: the program does not notice, and what is
# there can be read. With a processor of its own the writer's thread calls inject.so, too.
processor=$(taskset -cp $$ | sed 's/.*[ ,-]//')
gcc -shared -fPIC -O1 "$HERE/inject.c" -o inject.so -ldl >build.err 2>&1 ||
	give_up "builds inject.so" build.err
try() {
	SIS_TRACE=1 SIS_WRITER_CPU=$processor SIS_OUTPUT=$T/fault FAULT=$1 \
		LD_PRELOAD=$T/inject.so timeout 60 ./steps 20 >out 2>err </dev/null
}
: >log
FAULT_LOG=$T/log try 0
calls=$(wc -c <log)
: >problems
for n in $(seq 1 "$(((calls + 39) / 40))" "$calls"); do
	for fault in "$n" "$n+"; do
		rm -rf fault
		try "$fault" || echo "$fault: status $?" >>problems
		grep -v '^sis: warning: ' err >rest && echo "$fault: says $(cat rest)" >>problems
		EXP=$T/fault
		[ ! -d fault ] || analyze show "$EXP" >out 2>err ||
			grep -q "no profile" err || echo "$fault: $(cat err)" >>problems
		ls fault/trace-*.sis >out 2>err || continue
		trace_json
		[ -z "$(balance)$(grep error export.err)" ] ||
			echo "$fault: $(balance) $(cat export.err)" >>problems
	done
done
equal "calls of the system fail: it runs, and what is there can be read" "$(cat problems)" ""

# -- what is known only afterwards: how long a team took to start and to end, and for which threads
# its members waited
source_file team.c <<'END'
#include "work.h"
int main(void)
{
	for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(3)
		{
#pragma omp single
			rest(20);
#pragma omp master
			rest(10);
		}
	}
	return 0;
}
END
build team "-I$E2E/include" team.c -O1 -fopenmp --sis-cr=CR_OMP
# spans: "THREAD REGION CALLS MICROSECONDS" of the exported trace; the innermost open one ends
spans() {
	sed -n \
		's/^{"ph":"\([BE]\)","pid":1,"tid":\([0-9]*\),"ts":\([0-9.]*\)\(,"name":"\([^"]*\)"\)*.*/\1\t\2\t\3\t\5/p' \
		trace.json |
		awk -F '\t' '
		$1 == "B" { name[$2, ++depth[$2]] = $4; begun[$2, depth[$2]] = $3; next }
		{ key = $2 - 1 " " name[$2, depth[$2]]; sum[key] += $3 - begun[$2, depth[$2]--];
		calls[key]++ }
		END { for (key in sum) printf "%s %d %.3f\n", key, calls[key], sum[key] }' | sort
}
SIS_TRACE=1 run_alone 3 ./team
trace_json
spans >traced
query '.[] | select(.region | IN("fork", "join", "one works", "implicit barrier")) |
	"\(.thread) \(.region)\t\(.calls)\t\(.wtime_incl)"' regions "$EXP" |
	awk -F '\t' '{ calls[$1] += $2; sum[$1] += $3 }
	END { for (key in sum) printf "%s %d %.3f\n", key, calls[key], sum[key] * 1e6 }' |
	sort >profiled
equal "teams: what was known afterwards is there, as often and as long as the profile says" "$(awk '
	NR == FNR { calls[$1, $2, $3] = $(NF - 1); sum[$1, $2, $3] = $NF; next }
	{ d = $NF - sum[$1, $2, $3] }
	$(NF - 1) != calls[$1, $2, $3] || d > 1 + $(NF - 1) ||
	d < -1 - $(NF - 1) { print $0, sum[$1, $2, $3] }' traced profiled)" ""
equal "teams: of all members" \
	"$(awk '/ one works / { some++; next } { $NF = ""; print } END { print (some > 1) }' \
		profiled | paste -sd,)" \
	"0 fork 5 ,0 implicit barrier 10 ,0 join 5 ,1 fork 5 ,1 implicit barrier 10 ,1 join 5 ,2 fork 5 ,2 implicit barrier 10 ,2 join 5 ,1"
equal "teams: balanced" "$(balance)" ""
equal "teams: making room for a thread's events is no fork" \
	"$(query '[.[] | select(.region == "probe" and (.path | endswith("fork/probe"))) |
	"\(.thread) \(.calls)"] | sort | join(",")' regions "$EXP")" "1 1,2 1"

# -- tasks, and a static program
source_file tasks.c <<'END'
static void work(void) { volatile int sum = 0; for (int i = 0; i < 1000; i++) sum += i; }
int main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 50; i++) {
#pragma omp task
		{
#pragma sis cr body begin
			work();
#pragma sis end cr
		}
	}
	return 0;
}
END
build tasks tasks.c -O1 -fopenmp
SIS_TRACE=1 run_alone 2 ./tasks
trace_json
equal "tasks: each one is there" \
	"$run_status $(begun body) $(begun 'omp task body@7') $(balance)" \
	"0 50 50 "
build whole "-I$E2E/include" steps.c -O1 -static "-I$build_dir/include" --sis-cr=CR_P,CR_A
traced ./whole 100 kill
trace_json
equal "a static program: all of it is there" "$(begun inner) $(begun step) $(balance)" "10000 100 "
if [ -e "$(gcc -print-file-name=libzstd.a)" ]; then
	SIS_WRITER=async traced ./whole 1000
	check "a static program: its trace is compressed" test "$(cat "$EXP"/trace-*.sis | wc -c)" \
		-lt 400000
fi
