# SPDX-License-Identifier: BSD-3-Clause
# longjmp: what it leaves ends there, however deep, and what follows is where it belongs.
. "$(dirname "$0")/../lib.sh"

source_file jumps.c <<'END'
#include <setjmp.h>
#include <signal.h>
#include <sis/sis.h>
#include <stdio.h>
static jmp_buf place, outer, nested[4];
static sigjmp_buf handled;
static int turns;
static void deep(int n)
{
	turns++;
	if (n == 0)
		longjmp(place, 1);
	deep(n - 1);
}
static void quiet(void) { turns++; }
static void unmeasured(void)
{
#pragma sis measure disable
	quiet();
	if (turns)
		longjmp(place, 2);
#pragma sis measure enable
}
static void level(int n)
{
	if (n == 4)
		longjmp(nested[1], 3);
	if (setjmp(nested[n]) == 0)
		level(n + 1);
	else {
		quiet();
		longjmp(outer, 5);
	}
}
static void paused(void)
{
	SIS_PAUSE();
	longjmp(place, 4);
}
static void on_signal(int number) { siglongjmp(handled, number); }
static void strike(void) { raise(SIGUSR1); }
int main(void)
{
	signal(SIGUSR1, on_signal);
	for (volatile int i = 0; i < 5; i++) {
		if (setjmp(place) == 0)
			deep(i);
		quiet();
	}
	if (setjmp(place) == 0)
		unmeasured();
	quiet();
	if (!setjmp(outer))
		level(0);
	quiet();
	for (volatile int i = 0; i < 100; i++)
		if (sigsetjmp(handled, 1) == 0)
			strike();
	switch (setjmp(place)) {
	case 0:
		paused();
		break;
	case 4: /* what was said by hand holds until the contrary is */
		quiet();
		SIS_RESUME();
		quiet();
	}
	printf("%d\n", turns);
	return 0;
}
END
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
paths() { query '.[] | select(.path | startswith("main")) | "\(.path) \(.calls)"' regions "$EXP" | LC_ALL=C sort; }

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
if printf 'int main(void) { return 0; }\n' >plain.c && gcc -static plain.c -o plain 2>check.out; then
	build whole jumps.c "-I$build_dir/include" --sis-cr=CR_P,CR_F -static
	run_alone 1 ./whole
	jumps static
fi

# Linked by another: nothing to be left, and the program jumps all the same.
"$SISC" "-I$build_dir/include" -c jumps.c && sed 's/SIS_PAUSE();\|SIS_RESUME();//' jumps.c >bare.c &&
	"$SISC" "-I$build_dir/include" -c bare.c -o bare.o && gcc bare.o -o bare || give_up "gcc links what sisc compiled"
equal "linked without the runtime: prints the same" "$(SIS_LOG=quiet ./bare)" 26

# Each member of a team jumps for itself; there the marks are nobody's, and what is left around ends what was left.
source_file team.c <<'END'
#include <setjmp.h>
#include <stdio.h>
static void out(jmp_buf place) { longjmp(place, 1); }
static int attempt(void)
{
	jmp_buf place;
	if (setjmp(place))
		return 1;
	out(place);
	return 0;
}
int main(void)
{
	int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(3)
	for (int i = 0; i < 300; i++)
		sum += attempt();
#pragma omp parallel reduction(+ : sum) num_threads(3)
	{
		jmp_buf place;
		if (setjmp(place) == 0)
			out(place);
		sum++;
	}
	printf("%d\n", sum);
	return 0;
}
END
build team -O1 -fopenmp --sis-cr=CR_P,CR_F,CR_OMP team.c
run_alone 3 ./team
equal "a team: runs" "$run_status $(cat run.out run.err)" "0 303"
equal "a team: calls" "$(query '[.[] | select(.region == "attempt" or .region == "out") | .calls] | add' regions "$EXP")" 603
equal "a team: each is called by what calls it" "$(query '[.[] | select(.path | endswith("attempt/out")) | .calls] | add' regions "$EXP")" 300
identity "a team"
