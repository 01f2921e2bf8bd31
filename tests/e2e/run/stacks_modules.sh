# SPDX-License-Identifier: BSD-3-Clause
# SIS_BLAME: the sampler, which may not ask the dynamic linker, knows the libraries that a program
# with one thread loads and unloads.
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"

$CC -O1 -I"$TOP/schema" -o dump "$HERE/stacks_dump.c" || give_up "the reader is built"
mkdir sub
for library in one.so sub/two.so; do
	$CC -O1 -shared -fPIC -o $library "$HERE/spin.c" || give_up "a library is built"
done
$CC -O1 -shared -fPIC -Wl,--build-id=none -o none.so "$HERE/spin.c" || give_up "a library is built"
build prog "$HERE/stacks_modules.c" -O1 -ldl -pthread --sis-cr=CR_P,CR_F

dump() { for file in "$EXP"/stacks-*.sis; do ./dump "$file"; done >dump.out; }
build_id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
# module NAME: its build id, and whether it is gone
module() { awk -v end="/$1" '$1 == "module" && substr($2, length($2) - length(end) + 1) == end {
	print $3, $4 }' dump.out; }
# running NAME: milliseconds in stacks that begin in the module
running() { awk -v name="$1" '$1 == "stack" && $2 == "running" && index($8, name "+") == 1 {
	n += $5 / 1e6 } END { printf "%.0f\n", n }' dump.out; }

SIS_BLAME=1000hz run_alone 1 ./prog once "$T/one.so" sub/two.so ./none.so
dump
if grep -q 'method look' dump.out; then
	skip "SIS_BLAME" "the kernel refuses perf_event and timers here"
	exit 0
fi
equal "output and status: libc knows one thread" "$run_status $(cat run.out)" "0 1"
lacks "the file is sound" "$(cat dump.out)" "^bad"
equal "a library: its build id, and that it is gone" "$(module one.so)" "$(build_id one.so) gone"
equal "one by a relative path" "$(module two.so)" "$(build_id sub/two.so) gone"
equal "one without a build id" "$(awk '$1 == "module" && $2 ~ /none.so$/ { print NF, $3 }' \
	dump.out)" "3 gone"
# the others were at its addresses after it
check "the first library has its samples" [ "$(running one.so)" -ge 75 ]

SIS_BLAME=10000hz run_alone 1 ./prog often "$T/one.so" sub/two.so
dump
equal "often: output and status" "$run_status $(cat run.out)" "0 1"
lacks "often: the file is sound" "$(cat dump.out)" "^bad"

for setting in SIS_BLAME=1000hz SIS_OVERHEAD=5% SIS_TRACE=1; do
	rm -rf forks
	env "$setting" SIS_OUTPUT="$T/forks" timeout 60 ./prog forks "$T/one.so" >run.out 2>run.err
	equal "$setting: children while another thread is in the dynamic linker" \
		"$? $(cat run.out)" "0 300"
done
