#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Functions from samples, of programs that sisc did not build: call paths with known shares, teams,
# waits, places by debug information in the program or beside it, names by symbols, addresses.
# processor: every run needs one of its own to get enough samples
. "$(dirname "$0")/../lib.sh"
unset SIS_ASLEEP

# sampled THREADS COMMAND...: with the runtime preloaded
sampled() {
	threads=$1
	shift
	run_alone "$threads" env LD_PRELOAD="$build_dir/lib/libsis.so" SIS_BLAME=1 "$@"
	equal "$1: status" "$run_status" 0
}
# rows FILTER [COLUMN]: of the regions of $EXP
rows() { query "[.[] | select($1)] | map(.${2:-path}) | unique | join(\" \")" regions "$EXP"; }
# seconds PATH: inclusive
seconds() { query "[.[] | select(.path == \"$1\") | .wtime_incl] | add // 0" regions "$EXP"; }
# part_is WHAT SECONDS OF PART: within five points, or four standard deviations of samples of 4 ms
part_is() {
	if awk -v k="$2" -v n="$3" -v w="$4" 'BEGIN {
		d = n ? k / n - w : 1
		exit !(n >= 0.3 && (d * d <= 0.0025 || d * d <= 16 * w * (1 - w) * 0.004 / n)) }'
	then ok "$1: $2 of $3 s"; else not_ok "$1: $2 of $3 s, not $4"; fi
}

# -- call paths, teams, waits ----------------------------------------------------------------------
source_file plain.c <<'END'
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))
#define LAST __asm__ volatile("") /* the call before it is no tail call */
static double cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
ALONE void burn(double seconds)
{
	for (double end = cpu() + seconds; cpu() < end;)
		for (volatile int i = 0; i < 100000; i++)
			;
}
ALONE void left(void) { burn(0.45); LAST; }
ALONE void right(void) { burn(0.15); LAST; }
ALONE void pause_here(void) { usleep(200000); LAST; }
ALONE void in_team(void) { burn(0.2); LAST; }
int main(void)
{
#pragma omp parallel
	LAST; /* the measurement begins */
	left();
	right();
	pause_here();
#pragma omp parallel
	in_team();
	puts("done");
	return 0;
}
END
make_plain() { # make_plain OPTION...
	"$CC" -O1 -fopenmp "$@" plain.c -o plain 2>build.err || give_up "plain.c is built" build.err
}
# has_shares WHAT: of the functions of plain.c
has_shares() {
	both=$(query '[.[] | select(.path == "main/left" or .path == "main/right") | .wtime_incl] |
		add' regions "$EXP")
	part_is "$1: left" "$(seconds main/left)" "$both" 0.75
	part_is "$1: right" "$(seconds main/right/burn)" "$both" 0.25
	identity "$1"
}

make_plain -g
sampled 2 ./plain
equal "output" "$(cat run.out run.err)" "done"
has_shares "with debug information"
equal "a function has the place of its declaration" \
	"$(rows '.region == "burn"' file) $(rows '.region == "burn"' line_start)" \
	"plain.c $(grep -n 'void burn' plain.c | cut -d : -f 1)"
equal "a wait is in the function that called it" "$(rows '.region == "asleep"')" \
	main/pause_here/asleep
near "and has its exact time" "$(seconds main/pause_here)" 0.2
equal "a team is in the function that made it" \
	"$(rows '.region == "in_team"' | sed 's/main\._omp_fn\.[0-9]/BODY/')" \
	main/parallel/BODY/in_team
equal "in all of its members" "$(rows '.region == "in_team"' thread)" "0 1"
equal "calls are not known" "$(rows '.type == "CR_SAMPLED"' calls)" ""
equal "times have errors" \
	"$(query '[.[] | select(.type == "CR_SAMPLED" and .error == 0)] | length' regions "$EXP")" 0
matches "and a note says so" "$(analyze regions "$EXP")" "^times of sampled functions"
matches "a function is what is slow" "$(analyze report "$EXP")" "^1\. left > burn \(plain\.c:"

body='select(.file == "plain.c" and .line >= 15 and .line <= 19)' # of burn
samples=$(query "[.[] | $body | .samples] | add" regions "$EXP" --lines)
burn=$(query '[.[] | select(.region == "burn") | .wtime_incl] | add' regions "$EXP")
# a sample that comes late stands for more than its period
check "lines have the samples" awk -v samples="$samples" -v seconds="$burn" 'BEGIN {
	exit !(seconds > 0.3 && samples * 0.004 > 0.75 * seconds &&
		samples * 0.004 < 1.1 * seconds) }'
equal "of threads, with errors" "$(query "[.[] | $body] |
	\"\(map(.threads) | max) \(map(.error > 0) | all)\"" regions "$EXP" --lines)" "2 true"
equal "shares of lines add up" \
	"$(query '[.[].share] | add | . * 1000 | round' regions "$EXP" --lines)" 1000
analyze export "$EXP" --format json -o run.json || give_up "the experiment is exported"
equal "an exported experiment has its lines" \
	"$("$ANALYZE" import --db other.db run.json >/dev/null &&
		"$ANALYZE" regions --db other.db --lines --csv)" \
	"$(analyze regions "$EXP" --lines --csv)"
one_error "lines have no metrics" 2 "no --metric" analyze regions "$EXP" --lines --metric WTIME

make_plain
sampled 2 ./plain
has_shares "with symbols"
matches "lines need debug information" "$(analyze regions "$EXP" --lines)" "^no line .*100"
equal "without debug information there is no place" \
	"$(rows '.region == "burn"' file) $(rows '.region == "burn"' line_start)" "plain 0"
matches "the place that is shown is the program" "$(analyze regions "$EXP")" \
	'^burn +CR_SAMPLED +plain +- '

# -- stripped, and with a debug file ---------------------------------------------------------------
make_plain -g
objcopy --only-keep-debug plain plain.debug
strip plain
sampled 2 ./plain
equal "a stripped program has addresses, one for each function" \
	"$(rows '.file == "plain" and (.region | test("^plain\\+0x[0-9a-f]+$") | not)' region)" ""
equal "its call paths are there" "$(query '[.[] | select(.thread == 0 and
	(.path | test("^plain[^/]*/plain[^/]*/plain[^/]*$"))) | .path] | unique | length' \
	regions "$EXP")" 2
identity "stripped"
objcopy --add-gnu-debuglink=plain.debug plain 2>build.err || give_up "the file is linked" build.err
rm -f sis.db
sampled 2 ./plain
has_shares "with a debug file"
equal "the debug file has the places" "$(rows '.region == "left"' file)" plain.c
rm -f sis.db plain
has_none=$(rows '.file == "plain" and (.region | test("^plain\\+0x") | not)' region)
equal "if the program is gone, functions are addresses" "$has_none" ""
matches "and a warning says so" "$(analyze regions "$EXP")" "plain cannot be read"

# -- a library with debug information, for a program without ---------------------------------------
source_file spin.c <<'END'
void spin(long n)
{
	for (volatile long i = 0; i < n; i++)
		;
}
END
source_file uses.c <<'END'
void spin(long n);
int main(void)
{
#pragma omp parallel
	__asm__ volatile("");
	spin(200000000);
	return 0;
}
END
"$CC" -g -O1 -shared -fPIC spin.c -o libspin.so && "$CC" -O1 -fopenmp uses.c -o uses -L. -lspin \
	-Wl,-rpath,"$T" || give_up "the library is built"
sampled 1 ./uses
matches "a function of a library has its place" "$(rows '.region == "spin"' file)" "/spin\.c$"
matches "its lines have samples" "$(analyze regions "$EXP" --lines)" "/spin\.c:[34] "

# -- C++ -------------------------------------------------------------------------------------------
source_file names.cc <<'END'
#include <cmath>
namespace deep {
template <class T> __attribute__((noinline)) T spin(T x)
{
	for (long i = 0; i < 60000000; i++)
		x = std::fma(x, T(0.5), T(1));
	return x;
}
}
int main()
{
#pragma omp parallel
	__asm__ volatile("");
	return deep::spin(1.0) > 1e9;
}
END
"${CXX:-g++}" -O1 -g -fopenmp names.cc -o names 2>build.err || give_up "names.cc is built" build.err
sampled 1 ./names
equal "names of C++ are those of the source" "$(rows '.region | test("spin")' region)" \
	"double deep::spin<double>(double)"

# -- built with sisc -------------------------------------------------------------------------------
build plain plain.c -O1 -fopenmp --sis-cr=CR_F
run_alone 2 ./plain
without=$(rows true)
SIS_BLAME=1 run_alone 2 ./plain
equal "samples add no functions to regions of sisc" "$(rows true)" "$without"
build plain plain.c -O1 -g -fopenmp
SIS_BLAME=1 run_alone 2 ./plain
matches "but lines have samples" "$(analyze regions "$EXP" --lines)" "^plain\.c:1[5-9] "
echo "1..$number"
