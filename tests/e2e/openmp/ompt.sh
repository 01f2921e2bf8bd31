# SPDX-License-Identifier: BSD-3-Clause
# OpenMP of clang: libomp reports by its tool interface what the entries of libgomp show.
# known.sh tests times, with both runtimes; this test checks counts, and that a tool of the
# program is kept.
. "$(dirname "$0")/../lib.sh"

clang=clang-19
command -v $clang >/dev/null || { skip "libomp" "there is no $clang"; exit 0; }
echo 'int main(void) { return 0; }' | $clang -fopenmp -x c - -o plain 2>/dev/null || {
	skip "libomp" "there is none"
	exit 0
}
libomp=$(ldd plain | awk '/libomp/ { print $3 }')
KMP_BLOCKTIME=0 # as OMP_WAIT_POLICY in lib.sh
export KMP_BLOCKTIME

# calls TYPE: of the last experiment's regions of the type
calls() { query "map(select(.type == \"$1\") | .calls) | add // 0" regions "$EXP"; }
with_clang() { program=$1; shift; build "$program" --sis-cc=$clang -fopenmp "$@"; }

# balanced WHAT: everything that began has ended, once
balanced() {
	analyze import "$EXP" >import.out 2>&1
	lacks "$1: what began has ended" \
		"$(cat import.out; analyze show "$EXP")" \
		'matched no open|ended only because|is off by'
	identity "$1"
}

# -- the interface is declared as in the standard ------------------------------------------------

cp "$HERE/ompt_same.c" same.c
check "the interface is declared as the standard has it" \
	$clang -std=gnu11 -fsyntax-only -w "-I$TOP/rtlib" "-I$TOP/schema" "-I$build_dir/gen" same.c

# -- what is counted -----------------------------------------------------------------------------

OMP_CANCELLATION=true
export OMP_CANCELLATION
for flags in -O0 -O2; do
	with_clang constructs $flags "$HERE/ompt_constructs.c"
	run_alone 2 ./constructs
	equal "constructs $flags: prints as it should" "$run_status $(cat run.out)" "0 73"
	balanced "constructs $flags"
	for known in "RT_FORK 18" "RT_JOIN 18" "RT_EBAR 2" "RT_CRITICAL 2" "RT_ORDERED 2" \
		"RT_COPYPRIV 4" "CR_OMPTASKBODY 87" \
		"RT_TASKGROUP 2" "RT_IBAR 28" "CR_OMPTASK 85"; do
		equal "constructs $flags: ${known% *}" "$(calls "${known% *}")" "${known#* }"
	done
done
unset OMP_CANCELLATION

with_clang recursion -O1 --sis-cr=CR_F,CR_OMP "$HERE/ompt_recursion.c"
for try in 1 2 3; do
	run_alone 2 ./recursion
	equal "nested teams: runs" "$run_status $(cat run.out)" "0 as many as there should be"
	balanced "nested teams"
done

with_clang hidden -O1 --sis-cr=CR_F,CR_OMP "$HERE/ompt_hidden.c"
run_alone 2 ./hidden target
equal "libomp's own threads: runs" "$run_status $(cat run.out)" "0 0 2 4"
balanced "libomp's own threads"
equal "libomp's own threads are none of the program's" "$(query .p overhead "$EXP")" 2
run_alone 2 ./hidden
equal "threads that fork: runs" "$run_status $(cat run.out)" "0 40 40 40"
balanced "threads that fork"
equal "threads that fork: forks and tasks" "$(calls RT_FORK) $(calls CR_OMPTASKBODY)" "120 60"

# -- whose tool it is ----------------------------------------------------------------------------

# not_ours WHAT WHY: regions of the source are measured, nothing of libomp, and the reason is
# shown
not_ours() {
	equal "$1: runs" "$run_status" 0
	analyze import "$EXP" >import.out 2>&1
	equal "$1: no forks are seen" "$(calls RT_FORK)" 0
	equal "$1: the source's regions are" "$(calls CR_OMPPA | sed 's/[1-9][0-9]*/some/')" some
	matches "$1: the experiment says why" "$(analyze show "$EXP")" "not measured.*\($2\)"
}
with_clang tool "$HERE/ompt_tool.c"
run_alone 2 ./tool
not_ours "a tool of the program" "the program has a tool of its own"
matches "which works" "$(cat run.out)" finalized
run_alone 2 env OMP_TOOL=disabled ./recursion
not_ours "OMP_TOOL=disabled" "OMP_TOOL=disabled"
run_alone 2 env OMP_TOOL_LIBRARIES="$T/none.so" ./recursion
not_ours "OMP_TOOL_LIBRARIES" "OMP_TOOL_LIBRARIES names another tool"
run_alone 2 env SIS_ENABLE=0 ./recursion
equal "SIS_ENABLE=0: runs, and leaves nothing" "$run_status $(ls -d "$EXP" 2>/dev/null)" "0 "

# -- code of gcc on libomp, which has libgomp's entries; both in one program ---------------------

cp "$HERE/ompt_team.c" team.c
# sisc_object OBJECT COMPILER [FLAG]
sisc_object() {
	"$SISC" --sis-cc="$2" -fopenmp -O1 -c team.c -o "$1" ${3:-} || give_up "sisc compiles $1"
}
sisc_object gcc.o gcc
sisc_object gcc_other.o gcc -DOTHER
sisc_object clang_other.o $clang -DOTHER
# twice WHAT: two regions of two threads, each counted once
twice() {
	equal "$1: prints" "$run_status $(cat run.out)" "0 6"
	balanced "$1"
	equal "$1: each fork, task and barrier once" \
		"$(calls RT_FORK) $(calls CR_OMPTASKBODY) $(calls RT_IBAR)" \
		"4 2 12"
}
with_clang on_libomp gcc.o gcc_other.o
run_alone 2 ./on_libomp
twice "gcc's code on libomp"
"$SISC" --sis-cc=gcc -w -fopenmp -O1 -c "$HERE/ompt_constructs.c" -o constructs.o ||
	give_up "sisc compiles constructs"
with_clang constructs_of_gcc constructs.o
run_alone 2 env OMP_CANCELLATION=true ./constructs_of_gcc
equal "gcc's constructs on libomp" \
	"$run_status $(cat run.out) $(calls RT_FORK) $(calls RT_EBAR) $(calls CR_OMPTASKBODY)" \
	"0 73 18 2 87"
with_clang mixed gcc.o clang_other.o
run_alone 2 ./mixed
twice "gcc's and clang's code on libomp"
run_alone 2 env OMP_TOOL=disabled ./on_libomp
equal "gcc's code on libomp without tools: its entries are measured" \
	"$run_status $(calls RT_FORK)" \
	"0 4"
build on_gomp --sis-cc=gcc -fopenmp gcc.o gcc_other.o
run_alone 2 env LD_PRELOAD="$libomp" ./on_gomp
twice "libomp in the place of libgomp"
build both --sis-cc=gcc -fopenmp gcc.o clang_other.o "$libomp"
run_alone 2 ./both
twice "both runtimes in one program"
