# SPDX-License-Identifier: BSD-3-Clause
# SIS_BLAME: nothing is written into the file of samples after its checksums.
. "$(dirname "$0")/../lib.sh"

$CC -O1 -I"$TOP/schema" -o dump "$HERE/stacks_dump.c" || give_up "the reader is built"
build prog "$HERE/stacks_end.c" -O1 -pthread
# Without the wait for the sampler, one in four to one in ten of these files has a wrong checksum.
for i in $(seq 16); do
	SIS_LOG=quiet SIS_BLAME=4000hz SIS_OUTPUT=ended-$i ./prog 2>run.err |
		{ sleep 0.2; cat >run.out; }
	equal "$i: the program writes its output" "$(wc -c <run.out)$(cat run.err)" 200000
	for file in "ended-$i"/stacks-*.sis; do ./dump "$file"; done >dump.out
	matches "$i: the file is there" "$(cat dump.out)" "^state ended"
	lacks "$i: the file is sound" "$(cat dump.out)" "^bad"
done
