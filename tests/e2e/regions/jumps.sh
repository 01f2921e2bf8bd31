# SPDX-License-Identifier: BSD-3-Clause
# longjmp ends the regions that it leaves, at any depth, and what follows is in the right region.
. "$(dirname "$0")/../lib.sh"

cp "$HERE/jumps.c" .
wanted="main 1
main/deep 5
main/deep/deep 4
main/deep/deep/deep 3
main/deep/deep/deep/deep 2
main/deep/deep/deep/deep/deep 1
main/level 1
main/level/level 1
main/level/level/level 1
main/level/level/level/level 1
main/level/level/level/level/level 1
main/level/level/quiet 1
main/paused 1
main/quiet 8
main/strike 100
main/strike/on_signal 100
main/unmeasured 1"
paths() {
	query '.[] | select((.path | startswith("main")) and .type != "RT_UNMEASURED") |
		"\(.path) \(.calls)"' regions "$EXP" |
		LC_ALL=C sort
}

jumps() { # jumps WHAT PROGRAM
	equal "$1: prints the same" "$run_status $(cat run.out run.err)" "0 26"
	equal "$1: each call is where it was made" "$(paths)" "$wanted"
	equal "$1: nothing is said" "$(query '.[0].warnings[]' show "$EXP")" ""
	identity "$1"
}
for flags in "-O0" "-O2" "-O2 --sis-cc=clang-19"; do
	# shellcheck disable=SC2086
	build jumps jumps.c "-I$build_dir/include" -Wextra --sis-cr=CR_P,CR_F $flags
	equal "$flags: sisc has nothing to say" "$(cat build.err)" ""
	run_alone 1 ./jumps
	jumps "$flags"
done
SIS_TRACE=1 run_alone 1 ./jumps
jumps "with a trace"
if printf 'int main(void) { return 0; }\n' >plain.c &&
	gcc -static plain.c -o plain 2>check.out; then
	build whole jumps.c "-I$build_dir/include" --sis-cr=CR_P,CR_F -static
	run_alone 1 ./whole
	jumps static
fi

# Linked by another command: there are no regions to leave, and the program jumps all the same.
"$SISC" "-I$build_dir/include" -c jumps.c &&
	sed 's/SIS_PAUSE();\|SIS_RESUME();//' jumps.c >bare.c &&
	"$SISC" "-I$build_dir/include" -c bare.c -o bare.o &&
	gcc bare.o -o bare || give_up "gcc links what sisc compiled"
equal "linked without the runtime: prints the same" "$(SIS_LOG=quiet ./bare)" 26

# Each member of a team jumps for itself. There marks belong to no thread, and leaving the region
# around ends those that were jumped out of.
cp "$HERE/jumps_team.c" team.c
build team -O1 -fopenmp --sis-cr=CR_P,CR_F,CR_OMP team.c
run_alone 3 ./team
equal "a team: runs" "$run_status $(cat run.out run.err)" "0 303"
equal "a team: calls" \
	"$(query '[.[] | select(.region == "attempt" or .region == "out") | .calls] | add' regions \
		"$EXP")" \
	603
equal "a team: each is called by what calls it" \
	"$(query '[.[] | select(.path | endswith("attempt/out")) | .calls] | add' regions "$EXP")" \
	300
identity "a team"
