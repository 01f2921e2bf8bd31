#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# long.sh - tests that take too long for make check; make check-long runs them. They check the size
# of two pages, and print how long these take: a page of 1000 processes with a million summaries,
# and a page of a trace of ten million events. They check how long views of an interval take. They
# open every view in Firefox ESR. Speaks TAP.
set -u
here=$(cd "$(dirname "$0")" && pwd)
e2e_folder=$here/../e2e
. "$e2e_folder/lib.sh"
. "$E2E/page/lib_page.sh"

build many "$TOP/tests/bench/processes.c" -O1 --sis-cr=CR_F,CR_IO
run_alone 1 ./many 1000
analyze import "$EXP" >import.out 2>&1 || give_up "it is imported" import.out
page many "$EXP"
check "a million summaries take at most 30 MB" test "$(wc -c <many.html)" -le 30000000
views many slow
node "$here/speed.mjs" many.html

source_file events.c <<'END'
static volatile int sum[64];
static void leaf(int i) { sum[i] += i; }
static void inner(int i)
{
	leaf(i);
	leaf(i);
}
int main(void)
{
	#pragma omp parallel for
	for (int i = 0; i < 1700000; i++)
		inner(i % 64);
	return 0;
}
END
build events events.c -O1 -fopenmp --sis-cr=CR_F,CR_P,CR_OMP
SIS_TRACE=1 OMP_NUM_THREADS=2 run_alone 2 ./events
page events "$EXP"
check "a trace of ten million events takes at most 30 MB" test "$(wc -c <events.html)" -le 30000000
views events slow
node "$here/speed_time.mjs" events.html
node "$here/speed_interval.mjs" events.html

sed 's/1700000/170000/' events.c >million.c
build million million.c -O1 -fopenmp --sis-cr=CR_F,CR_P,CR_OMP
SIS_TRACE=1 OMP_NUM_THREADS=2 run_alone 2 ./million
page million "$EXP"
node "$here/speed_interval.mjs" million.html 100 || not_ok "views of an interval end well"

cp "$TOP"/samples/stommel/*.[ch] .
build hybrid stommel_mpi.c model.c -O2 -fopenmp -lm
SIS_TRACE=1 SIS_SENSORS=100ms run 2 2 ./hybrid 200 200 40
page hybrid "$EXP"
if ! command -v firefox-esr >/dev/null; then
	skip "the page in Firefox" "there is no firefox-esr"
	exit 0
fi
node "$here/firefox.mjs" hybrid.html || not_ok "Firefox ends well"

build ranks -O1 "$E2E/run/top_ranks.c"
run_behind live "$MPIEXEC" -n 2 ./ranks "$T/stop"
ranks_run() { analyze top "$EXP" --once --json | gojq -e '.processes_running == 2'; }
await "both ranks run" ranks_run
"$ANALYZE" view --live "$EXP" >served.out 2>served.err </dev/null &
server=$!
await "it says where it serves" grep -q '^http' served.out
node "$here/firefox.mjs" "$(cat served.out)" || not_ok "Firefox ends well with a live page"
kill $server
touch stop
wait
