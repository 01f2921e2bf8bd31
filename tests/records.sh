#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# records.sh - a trace of many events, written and read back: none is missing, none is out of order.
#
#     tests/records.sh [EVENTS]      100 000 000 if nothing is said; part of `make check-long`
#
# Each writer has a run, without dropping and with it. The program is records/write.c, what reads
# the trace is records/read.c.
e2e_folder=$(cd "$(dirname "$0")/e2e" && pwd)
records=$(cd "$(dirname "$0")/records" && pwd)
. "$e2e_folder/lib.sh"
events=${1:-100000000}
pairs=$((events / 4))
failed=0
not_ok() { number=$((number + 1)) failed=$((failed + 1)); echo "not ok $number - $*"; }

build write "$records/write.c" -O2 -pthread --sis-cr=CR_A
# shellcheck disable=SC2086 # words
${CC:-cc} -O2 "-I$TOP/schema" "-I$TOP/analysis" -o read "$records/read.c" \
	"$build_dir/obj/libsis-analysis.a" "$build_dir/obj/libsis-schema.a" -lzstd -lm \
	>build.err 2>&1 || give_up "what reads builds" build.err

# records WRITER POLICY: runs the program, and says in `sum` what was written, dropped and lost
records() {
	runs=$((runs + 1)) EXP=$T/exp$runs begun=$(date +%s)
	env SIS_TRACE=1 SIS_TRACE_SIZE=64G "SIS_WRITER=$1" "SIS_TRACE_POLICY=$2" \
		SIS_OUTPUT="$EXP" ./write "$pairs" >run.out 2>run.err
	status=$? ended=$(date +%s)
	sum=$(./read "$EXP")
	echo "# $1, $2: $((ended - begun)) s to write, $(($(date +%s) - ended)) s to read," \
		"$(($(cat "$EXP"/trace-*.sis | wc -c) >> 20)) MiB: $sum"
	rm -rf "$EXP"
}

each=$((2 * pairs + 1)) # and that of the program
all="$each enters, $each leaves, 2 streams, 0 out of order; $((2 * each)) counted"
for writer in async sync; do
	records $writer block
	equal "$writer: all $((2 * each)) events are there, in order" "$status $(cat run.err) $sum" \
		"0  $all, 0 dropped, 0 lost, 0 damaged"
	records $writer drop
	equal "$writer, drop: those that are there and those that were dropped are all" \
		"$status $(echo "$sum" | awk '{ print $1 + $3 == $11, $11 + $13, $15, $17 }')" \
		"0 1 $((2 * each)) 0 0"
done
echo "$((number - failed)) passed, $failed failed"
[ "$failed" = 0 ]
