# SPDX-License-Identifier: BSD-3-Clause
# `sis-analyze top` looks at a program while it runs: its numbers add up, and are those of the
# import at the end. The program notices nothing.
. "$(dirname "$0")/../lib.sh"
share_with_all

build ranks -O1 "$HERE/top_ranks.c"
source_file naps.c <<'END'
#include <stdio.h>
#include <unistd.h>
static void nap(void) { usleep(10000); }
int main(int argc, char **argv)
{
	(void)argc;
	while (access(argv[1], F_OK) != 0)
		nap();
	puts("done");
	return 0;
}
END
build naps -O1 naps.c

# look [ARGUMENT...]: one look at $EXP in the file look
look() { analyze top "$EXP" --once --json "$@" >look 2>look.err; }
field() { jq -r "$1" look; }
# adds_up WHAT: of the look, to a microsecond: p * T_p = useful + overheads + unmeasured
adds_up() {
	equal "$1: all time of all units is accounted for" "$(jq -r '
		def off(d): if d < 0 then -d else d end > 1e-5;
		.t_p as $t | .p as $p |
		[ if off(.useful + .overheads.OTOTAL + .overheads.UNMEASURED - $t) then "sum" else
		  empty end,
		  (.processing_units[] |
			if off(.useful + .overhead + .unmeasured - $t) then .process else empty end),
		  if (.processing_units | length) != $p then "p" else empty end,
		  if off(([.regions[].overhead] | add) - .overheads.OTOTAL) then "regions" else
		  empty end ] | join(" ")' look)" ""
}
runs_all() { look && [ "$(field '.processes_running')" = "$1" ]; }
in_receive() {
	runs_all 2 &&
		[ "$(field '[.processing_units[].path | select(test("> MPI_Recv$"))] | length')" -gt 0 ]
}

echo "== while it runs"
run_behind live env SIS_UNIFY=1 "$MPIEXEC" -n 2 ./ranks "$T/stop"
await "all ranks are seen, and where they are" in_receive
adds_up "up to now"
equal "what it says of the run" \
	"$(field '"\(.running) \(.processes) \(.hosts) \(.p) \(.looks) \(.since_last_look)"')" \
	"true 2 1 2 1 null"
check "the ranks that wait wait in a late sender" test \
	"$(field '.overheads.OSYNC_LATESEND > 0')" = true
check "each number has an age" test \
	"$(field '[.processing_units[] | .age >= 0 and .age < 20] | all')" = true
first=$(field .t_p)
look --interval 0.5
adds_up "after two looks"
check "time goes on" test "$(field ".t_p > $first")" = true
check "there are rates of half a second" test "$(field '.since_last_look > 0.45 and
	([.processing_units[].now.useful, .processing_units[].now.overhead] | add) > 1.8 and
	([.regions[] | select(.region == "nap")][0].now.calls_per_second) > 1')" = true
matches "as text" "$(analyze top "$EXP" --once)" '^ +OSYNC_LATESEND +[0-9.]+ +[0-9.]+ %'

# A rank that is stopped passes no probes. What it is in goes on.
pid=$(field '.processing_units[0].pid')
kill -STOP "$pid"
sleep 1
look
check "a thread that passes no probe: its age ($(field '.processing_units[0].age'))" \
	test "$(field '.processing_units[0].age > 0.9')" = true
check "... and what it is in lasts until now" test \
	"$(field '.processing_units[0] | .since > 0.9 and .useful + .overhead > 0.9')" = true
adds_up "meanwhile"
kill -CONT "$pid"

echo "== named by a process"
analyze top "$pid" --once --json >by_pid 2>&1
equal "a rank stands for its run" "$(jq -r '"\(.processes) \(.directory)"' by_pid)" "2 $EXP"
one_error "one that is not measured" 1 "process $$ is not measured: .*name a rank, not mpiexec" \
	analyze top $$ --once
sleep 0 & gone=$!
wait $gone
one_error "one that is no more" 1 "no process $gone on this host; " analyze top $gone --once
one_error "no number" 1 "'@5' is neither the directory of a run nor the number" analyze top @5
if [ "$(id -u)" = 0 ]; then
	one_error "one of another user" 1 "process $pid belongs to another user \(0\); only " \
		as_nobody sis/bin/sis-analyze top "$pid" --once
fi

echo "== wrong use"
one_error "--csv" 2 "use --once --json" analyze top "$EXP" --csv
one_error "--json without --once" 2 "write --once --json" analyze top "$EXP" --json
one_error "an interval" 2 "'never' is no number of seconds" analyze top "$EXP" --interval never
mkdir nothing
one_error "a directory without a run" 1 "'nothing' is no experiment: it has no profile" \
	analyze top nothing
( cd nothing && one_error "no run here" 1 "no run in the working directory" analyze top )
one_error "a file that cannot be written" 1 "cannot write '/nowhere/x.prom'" \
	analyze top "$EXP" --once --prometheus /nowhere/x.prom

echo "== for Prometheus"
# Each line of the exposition format; prints what is wrong. Each metric has HELP and TYPE before its
# first sample and stands together; no sample comes twice; labels are escaped.
cat >exposition.awk <<'END'
/^# HELP [a-z_]+ ./ { help[$3] = 1; next }
/^# TYPE [a-z_]+ gauge$/ { if (!help[$3] || typed[$3]++) print "TYPE: " $0; last = $3; next }
{
	name = $0
	sub(/[{ ].*/, "", name)
	if (name != last) print "not below its TYPE: " $0
	if (seen[substr($0, 1, length($0) - length($NF))]++) print "twice: " $0
	rest = substr($0, length(name) + 1)
	if (rest !~ /^[{]([a-z_]+="([^"\\]|\\\\|\\"|\\n)*",?)*[}] -?[0-9]+([.][0-9]+)?$/)
		print "no sample: " $0
	samples++
}
END { if (samples < 50) print samples + 0 " samples" }
END
analyze top "$EXP" --once --prometheus sis.prom >/dev/null
equal "the format" "$(awk -f exposition.awk sis.prom)" ""
look
check "its numbers are those of a look" test "$(awk '
	/^sis_useful_seconds/ { u = $NF } /^sis_overhead_seconds/ { o += $NF }
	/^sis_unmeasured_seconds/ { n = $NF } /^sis_wall_seconds/ { t = $NF }
	/^sis_processing_units/ { p = $NF }
	END { d = p * t - u - o - n; print (p == 2 && d < 1e-5 && d > -1e-5) }' sis.prom)" = 1
matches "the run and the state" "$(cat sis.prom)" '^sis_processes_running[{].*[}] 2$'
equal "no part of a file stays" "$(ls | grep -c part)" 0

echo "== its end"
analyze top "$EXP" --interval 0.2 --prometheus last.prom >text 2>text.err &
watcher=$!
await "a pipe gets look after look" sh -c "[ \"\$(grep -c '^so far: useful' text)\" -ge 2 ]"
: >stop
wait "$behind"
equal "the program ends as without it" "$? $(cat behind.out behind.err)" "0 done"
wait $watcher
equal "top ends with it" "$? $(cat text.err)" "0 "
matches "... and its report follows" "$(cat text)" '^Where the time went'
lacks "... of a complete run" "$(cat text)" INCOMPLETE
matches "the last file says that nothing runs" "$(cat last.prom)" \
	'^sis_processes_running[{].*[}] 0$'
same_as_import() {
	look
	equal "$1: the look and the import have the same times" \
		"$(jq '[.t_p, .useful, .overheads]' look)" \
		"$(analyze overhead "$EXP" --json | jq '[.t_p, .useful, .overheads]')"
	equal "$1: and the same calls" \
		"$(jq -r '[.regions[] | select(.type | startswith("RT_") | not)] |
			group_by(.region)[] | "\(.[0].region) \([.[].calls] | add)"' look |
			sort)" \
		"$(query '[.[] | select(.type | startswith("RT_") | not)] | group_by(.region)[] |
			"\(.[0].region) \([.[].calls] | add)"' regions "$EXP" | sort)"
}
same_as_import "a run that has ended"
check "its ranks have one file now" test -e "$EXP/ranks.sis"
equal "it does not run" "$(field '"\(.running) \(.processes_running)"')" "false 0"

echo "== a run that is killed"
run_behind killed ./naps "$T/never"
await "it runs" runs_all 1
kill -KILL "$behind"
equal "a process that was killed does not run, although its parent does not know yet" \
	"$(look && field .processes_running)" 0
wait "$behind"
same_as_import "a run that was killed"
analyze top "$EXP" >text 2>text.err
equal "top shows its report" "$? $(grep -c '^INCOMPLETE' text)" "0 1"

echo "== a run that disappears"
run_behind removed ./naps "$T/stop2"
await "it runs" runs_all 1
analyze top "$EXP" --interval 0.2 >text 2>text.err &
watcher=$!
await "top looks at it" grep -q '^so far' text
rm -rf "$EXP"
wait $watcher
equal "top says so" "$? $(cat text.err)" \
	"1 sis-analyze: error: '$EXP' was removed while the program ran; what it measured is lost"
one_error "so it does for a process" 1 "directory of the run of process $behind, .* was removed" \
	analyze top "$behind" --once
: >stop2
wait "$behind"
equal "the program does not notice" "$? $(cat behind.out behind.err)" "0 done"

off=
echo "== threads"
source_file threads.c <<'END'
#include <omp.h>
#include <pthread.h>
#include <unistd.h>
static void nap(int ms) { usleep(ms * 1000); }
static void *serve(void *name) { while (access(name, F_OK) != 0) nap(10); return NULL; }
int main(int argc, char **argv)
{
	pthread_t server;
	(void)argc;
	pthread_create(&server, NULL, serve, argv[1]);
	while (access(argv[1], F_OK) != 0) {
		#pragma omp parallel num_threads(3)
		nap(10 + 10 * omp_get_thread_num());
	}
	pthread_join(server, NULL);
	return 0;
}
END
build team -O1 -fopenmp -pthread threads.c
run_behind threads ./team "$T/stop3"
has_threads() { look && [ "$(field .p)" = 4 ] && [ "$(field '.t_p > 1')" = true ]; }
await "all threads are seen" has_threads
adds_up "a team and a thread of its own"
for try in 1 2 3 4 5; do
	look
	off=$off$(adds_up "look $try" | grep '^not')
done
equal "at each moment" "$off" ""
: >stop3
wait "$behind"
same_as_import "threads"
