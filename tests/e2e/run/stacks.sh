# SPDX-License-Identifier: BSD-3-Clause
# SIS_BLAME: the call stacks of all threads are sampled, and the program does not notice it.
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"

$CC -O1 -I"$TOP/schema" -o dump "$HERE/stacks_dump.c" || give_up "the reader is built"
dump() { for file in "$EXP"/stacks-*.sis; do ./dump "$file"; done >dump.out; cat dump.out; }
# samples KIND [PATTERN]: the milliseconds of those in stacks that match
samples() {
	awk -v kind="$1" -v pattern="${2:-.}" \
		'$1 == "stack" && $2 == kind && $0 ~ pattern { n += $5 / 1e6 }
		END { printf "%.0f\n", n }' dump.out
}
# said: what the run said, but for why timers are used
said() { grep -v '^sis: warning: SIS_BLAME: the kernel refuses perf_event' run.err; }
sound() { # sound WHAT: the file is well-formed, and no sample was lost
	lacks "$1: the file is sound" "$(dump)" "^bad"
	equal "$1: no sample is lost" "$(awk '$1 == "thread" { n += $6 } END { print n + 0 }' \
		dump.out)" 0
	equal "$1: all samples have a moment" \
		"$(awk '$1 == "moments" { n += $2 } END { print n + 0 }' dump.out)" \
		"$(awk '$2 == "running" || $2 == "blocked" { n += $4 } END { print n + 0 }' \
			dump.out)"
}
build prog "$HERE/stacks.c" -O1 -g -pthread

SIS_BLAME=0 run_alone 1 ./prog
equal "off: there is no file" "$(find "$EXP" -name 'stacks-*')" ""
wanted=$(cat run.out)
SIS_BLAME=1 run_alone 1 ./prog
equal "250 Hz: output and status" "$run_status $(cat run.out)$(said)" "0 $wanted"
sound "250 Hz"
first=$(head -n 1 dump.out)
case $first in
*"method look"*)
	skip "SIS_BLAME" "the kernel refuses perf_event and timers here: $first"
	exit 0
	;;
*"method timer"*) # a kernel's tick is 1 to 10 ms
	matches "250 Hz: header" "$first" "^state ended method timer rate [12][05]0 metric WTIME$"
	;;
*) equal "250 Hz: header" "$first" "state ended method clock rate 250 metric WTIME" ;;
esac
check "250 Hz: 100 ms have samples" [ "$(samples running)" -ge 40 ]
# Two may be where the program begins or ends.
two=$((2000 / $(echo "$first" | sed 's/.* rate \([0-9]*\) .*/\1/')))
check "250 Hz: stacks reach the begin of the program" \
	[ "$(samples running)" -le $(($(samples running 'n--- -: .*prog.0x[^ ]* libc') + two)) ]
equal "the modules have their build ids" \
	"$(awk '$1 == "module" && $2 ~ /prog$/ { print length($3) }' dump.out)" \
	"$(readelf -n prog | awk '/Build ID/ { print length($3) }')"

SIS_BLAME=1000hz run_alone 1 ./prog deep 50
sound "1000 Hz"
fifty=$(yes 'prog.0x[^ ]*' | head -n 50 | tr '\n' ' ') # not every awk has {50}
check "a stack of 50 functions" [ "$(samples running "$fifty")" -ge 50 ]
SIS_BLAME=1000hz run_alone 1 ./prog deep 500
sound "a deep stack"
check "a stack that is too deep is marked" [ "$(samples running ' nt-- -:')" -ge 50 ]

for pointer in -fno-omit-frame-pointer -fomit-frame-pointer; do
	build prog "$HERE/stacks.c" -O1 -g -pthread $pointer
	SIS_BLAME=1000hz run_alone 1 ./prog threads
	sound "threads, $pointer"
	check "$pointer: callers of a wait are known" \
		[ "$(samples blocked 'n-.- -: libc.*prog.*libc')" -ge 300 ]
done
check "threads run" [ "$(awk '$2 == "running" && $3 ~ /[12]/ { n += $5 / 1e6 }
	END { printf "%.0f\n", n }' dump.out)" -ge 200 ]
check "threads wait" [ "$(samples blocked 'prog')" -ge 300 ]

SIS_BLAME=4000hz run_alone 1 ./prog calls
equal "no call is interrupted" "$run_status $(cat run.out)$(said)" "7 interrupted 0"
sound "calls"
SIS_BLAME=4000hz run_alone 1 ./prog signals
equal "all signals are the program's" "$run_status $(grep -v '^sis: ' run.err)$(cat run.out)" \
	"0 waited -1
used 0 old 0 bad 0"
sound "signals"
SIS_BLAME=4000hz run_alone 1 ./prog forks
equal "a child" "$run_status $(cat run.out)$(said)" "0 child 3"
sound "a child"
equal "a child has a file of its own" "$(find "$EXP" -name 'stacks-*' | wc -l)" 2
SIS_BLAME=10000hz run_alone 1 ./prog executes
equal "exec" "$run_status $(cat run.out)$(said)" "0 next"
SIS_BLAME=1000hz run_alone 1 ./prog killed
sound "killed"
matches "killed: the file says so" "$(cat dump.out)" "^state running"
check "killed: its samples are there" [ "$(samples running)" -ge 100 ]
SIS_BLAME=1000hz run_alone 1 ./prog closes
equal "descriptors that the program closes" "$run_status$(said)" 0
sound "descriptors"
check "descriptors are opened again" [ "$(samples running)" -ge 300 ]

run_status=$( (trap '' XFSZ; ulimit -f 1024; SIS_BLAME=4000hz SIS_OUTPUT=$T/limited ./prog deep 60 \
	>run.out 2>run.err; echo $?))
equal "no room for the file: status" "$run_status $(cat run.out)" "0 1830"
SIS_BLAME=PAPI_NO_SUCH:1000000 run_alone 1 ./prog
matches "an event that there is not" "$(cat run.err)" "^sis: warning: SIS_BLAME: .*PAPI_NO_SUCH"
SIS_BLAME=often run_alone 1 ./prog
matches "a value that means nothing" "$(cat run.err)" "^sis: warning: bad SIS_BLAME 'often'"
equal "a value that means nothing: no file" "$(find "$EXP" -name 'stacks-*')" ""

"$SISC" -c -O1 --sis-off -o prog.o "$HERE/stacks.c" && build plain prog.o -pthread
SIS_BLAME=1000hz run_alone 1 ./plain threads
equal "a program without regions runs" "$run_status$(said)" 0

cp "$HERE/stacks_team.c" team.c
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "there is none"; continue; }
	build team team.c --sis-cc=$compiler -O1 -fopenmp
	SIS_BLAME=1000hz run_alone 2 ./team
	equal "$compiler: OpenMP" "$run_status$(said)" 0
	sound "$compiler"
	check "$compiler: members of a team have an origin" \
		[ "$(samples running ' origin: .*team.0x')" -ge 20 ]
	check "$compiler: the origin reaches main" grep -q '^stack origin.*team+0x.*libc' dump.out
done

if command -v "$MPICC" >/dev/null; then
	source_file ranks.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
	volatile double x = 0;
	MPI_Init(&argc, &argv);
	for (int i = 0; i < 100000000; i++)
		x += i;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
	build ranks ranks.c --sis-cc="$MPICC" -O1
	SIS_BLAME=1 run 2 1 ./ranks
	equal "two ranks" "$run_status $(find "$EXP" -name 'stacks-*' | wc -l)" "0 2"
	sound "two ranks"
fi
