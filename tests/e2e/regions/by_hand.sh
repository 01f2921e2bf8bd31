# SPDX-License-Identifier: BSD-3-Clause
# sis/sis.h: regions, parameters and values by hand, pause, resume, flush. Without sisc none of
# them leaves a trace in the program.
. "$(dirname "$0")/../lib.sh"
include=-I$build_dir/include
calls() { query "[.[] | select(.region == \"$1\") | .calls] | add // 0" regions "$EXP"; }

cp "$HERE/by_hand.c" hand.c

for flags in "-O0" "-O2 -std=c99 -pedantic" "-O2 --sis-cc=clang-19"; do
	# shellcheck disable=SC2086
	build hand hand.c "$include" -Wall -Wextra $flags
	equal "$flags: sisc has nothing to say" "$(cat build.err)" ""
	run_alone 1 ./hand
	equal "$flags: prints the same" "$(cat run.out run.err)" 828
	equal "$flags: regions" \
		"$(calls part_region) $(calls all) $(calls twice) $(calls inner) $(calls \
			never_begun) $(calls unseen)" \
		"5 1 2 1 0 0"
	equal "$flags: one region for each value of a parameter" \
		"$(calls size=-1) $(calls size=0) $(calls size=1)" \
		"17 12 12"
	equal "$flags: values, for each path" \
		"$(query '.[] | select(.region == "size=0") | .values.items |
			[.count, .sum, .min, .max] | @tsv' regions "$EXP")" \
		"$(printf '12\t48\t1\t7')"
	equal "$flags: what is no number does not count" \
		"$(query '.[] | select(.values.temperature) |
			"\(.path) \(.values.temperature.count) \(.values.temperature.sum)"' \
			regions "$EXP")" "main 1 -3.5"
	equal "$flags: past a thousand values they are one region" \
		"$(calls many=999) $(calls many=1000) $(calls 'many=*')" \
		"1 0 200"
	identity "$flags"
done
version=$(query '.[0].version' show "$EXP")
matches "people see them, too" \
	"$(analyze regions "$EXP" --values)" \
	'^size=0 +hand.c:10 +items +12 +4 +1 +7 +48$'
run_alone 1 ./hand 2 3 4
equal "what a run meets by hand makes no other version of the program" \
	"$(query '.[0].version' show "$EXP")" \
	"$version"
SIS_ENABLE=0 run_alone 1 ./hand
equal "switched off, it prints the same and writes nothing" \
	"$(cat run.out run.err; ls -d "$EXP" 2>/dev/null)" \
	828

# without sisc
for compiler in "gcc -std=c99 -pedantic" "gcc -O2 -std=gnu17" "clang-19 -std=c11 -pedantic" \
	"g++ -x c++ -std=c++11 -pedantic"; do
	$compiler -Wall -Wextra "$include" hand.c -o plain >cc.err 2>&1
	equal "without sisc: $compiler says nothing, and it prints the same" \
		"$(cat cc.err; ./plain)" \
		828
	lacks "without sisc: $compiler puts nothing of ours in" "$(nm plain)" ' sis_'
done

# variables that only these macros use give no warning, in the oldest C and C++ too, and their
# names shadow nothing
source_file only_used.c <<'END'
#include <sis/sis.h>
int steps(int n);
int steps(int n)
{
	int i, size = n * 2;
	double rest;
	SIS_REGION(steps);
	SIS_PARAMETER(size, size);
	for (i = 0; i < n; i++) {
		const int odd = i % 2;
		SIS_PARAMETER(size, odd);
		rest = n - i;
		SIS_VALUE(rest, rest);
	}
	SIS_PAUSE();
	SIS_RESUME();
	SIS_FLUSH();
	return n;
}
END
for compiler in "gcc -std=c90" "gcc -std=c17 -Wshadow -Wc++-compat" "clang-19 -std=c90" \
	"clang-19 -Weverything" \
	"g++ -x c++ -std=c++98 -Wshadow" "g++ -x c++ -std=c++20 -Wold-style-cast"; do
	$compiler -Wall -Wextra -pedantic "$include" -c only_used.c -o plain.o >cc.err 2>&1
	equal "without sisc: $compiler says nothing of variables for these alone" \
		"$? $(cat cc.err)" \
		"0 "
	lacks "without sisc: $compiler makes nothing of them" "$(nm plain.o)" ' sis_'
done

# C++, and C without other regions: compiled apart, and together with the link
source_file plus.cc <<'END'
#include <sis/sis.h>
#include <cstdio>
#include <stdexcept>
template <typename T> static T twice(T x)
{
	SIS_REGION(doubling);
	SIS_VALUE(given, x);
	if (x > 3)
		throw std::runtime_error("more");
	return x + x;
}
int main()
{
	int caught = 0;
	for (int i = 0; i < 6; i++)
		try {
			twice(i * 0.5);
			twice(i);
		} catch (const std::runtime_error &) {
			caught++;
		}
	std::printf("%d\n", caught);
}
END
source_file only.c <<'END'
#include <sis/sis.h>
void only(void) { SIS_REGION(only); SIS_VALUE(v, 2); }
END
printf 'void only(void) {}\n' >empty.c
printf 'void only(void);\nint main(void) { only(); return 0; }\n' >main.c
gcc -c main.c || give_up "gcc compiles main.c"
for how in "one step" apart; do
	if [ "$how" = apart ]; then
		"$SISC" --sis-cc=g++ "$include" -Wall -Wextra -pedantic -c plus.cc >cc.err 2>&1
		equal "C++, $how: no warnings" "$(cat cc.err)" ""
		"$SISC" --sis-exclude='*' "$include" -c only.c || give_up "compiles only.c"
		build plus --sis-cc=g++ plus.o
		build only only.o main.o
	else
		build plus --sis-cc=g++ "$include" plus.cc
		build only --sis-exclude='*' "$include" only.c main.o
	fi
	run_alone 1 ./plus
	equal "C++, $how: runs" "$(cat run.out run.err)" 2
	equal "C++, $how: is measured, exceptions too" "$(calls doubling)" 12
	equal "C++, $how: one value wherever it is given" \
		"$(query '[.[] | .values.given // empty | .sum] | add' regions "$EXP")" \
		22.5
	run_alone 1 ./only
	equal "nothing else measured, $how: the region is" "$(calls only)" 1
done
"$SISC" --sis-off "$include" only.c main.o -o off 2>build.err
lacks "--sis-off: nothing of ours" "$(nm off)" ' sis_'
build empty --sis-exclude='*' empty.c main.o
lacks "a program that says nothing does not depend on the runtime" "$(readelf -d empty)" 'libsis'

# threads, and a forked child
cp "$HERE/by_hand_threads.c" threads.c
build threads -fopenmp -O1 "$include" threads.c
run_alone 4 ./threads
equal "threads: runs" "$(cat run.out run.err)" "done"
equal "threads: each counts its own, none is lost" \
	"$(calls step) $(query '[.[] | select(.region == "step") | .values.v.sum // empty] |
		"\(length) \(add)"' regions "$EXP")" "1000 4 499500"
equal "fork: the child counts from nothing" \
	"$(query '[.[] | select(.region == "main") | .values.v.sum // empty] | sort | join(" ")' \
		regions "$EXP")" "1 5"
identity threads

# a process that is killed
source_file killed.c <<'END'
#include <sis/sis.h>
#include <signal.h>
int main(void)
{
	SIS_REGION(open);
	SIS_VALUE(v, 3);
	SIS_FLUSH();
	SIS_VALUE(v, 4);
	raise(SIGKILL);
	return 0;
}
END
build killed -O1 "$include" killed.c
run_alone 1 ./killed
equal "killed: what was said is there" \
	"$(calls open) $(query '[.[] | .values.v // empty | .sum] | add' regions "$EXP")" \
	"1 7"
