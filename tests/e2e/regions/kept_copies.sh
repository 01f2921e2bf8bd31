# SPDX-License-Identifier: BSD-3-Clause
# If the linker or the dynamic linker keeps a copy of an inline function or of an instance of a
# template that has no probes, the report says so. It says nothing if sisc compiled all copies, or
# if a copy with probes is kept.
# ci: it builds many programs
. "$(dirname "$0")/../lib.sh"

source_file work.h <<'END'
#pragma once
#define OUT_OF_LINE __attribute__((noinline))
OUT_OF_LINE inline int total(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i % 7;
	return sum;
}
namespace grid {
template <class T> struct Field {
	T v[50];
	OUT_OF_LINE Field(int n) { for (int i = 0; i < 50; i++) v[i] = T(i % n); }
	OUT_OF_LINE T sum(const Field &w) const
	{
		T s = 0;
		for (int i = 0; i < 50; i++)
			s += v[i] * w.v[i];
		return s;
	}
};
}
END
source_file one.cc <<'END'
#include "work.h"
static int own(int n) { int s = n; for (int i = 0; i < n; i++) s ^= i; return s; }
int one(int n)
{
	grid::Field<double> f(n);
	return own(n) + total(n) + int(f.sum(f));
}
END
sed 's/one/two/; s/s = n/s = 1/' one.cc >two.cc
source_file main.cc <<'END'
int one(int n), two(int n);
int main() { return one(20) + two(30) == 0; }
END
all=--sis-cr=CR_F
missing='calls are missing, some or all, of grid::Field<double>::Field\(int\), '
missing="$missing"'grid::Field<double>::sum\(grid::Field<double> const&\) const, total: '

# ran WHAT CALLS: the program was linked; so many calls of functions in work.h are counted
ran() {
	run_alone 1 ./program
	table=$(analyze regions "$EXP")
	equal "$1: status, calls" "$run_status $(echo "$table" |
		awk '$3 ~ /^work.h:/ { n += $4 } END { print n + 0 }')" "0 $2"
}
says() { # says WHAT CALLS
	ran "$@"
	matches "$1: regions" "$table" "^$missing"
	matches "$1: report" "$(analyze report "$EXP")" "^warning: $missing"
}
is_silent() { # is_silent WHAT CALLS
	ran "$@"
	lacks "$1: nothing is said" "$table" 'calls are missing'
}

for way in 'g++ -O0' 'g++ -O2' 'g++ -O2 -flto' 'g++ -O2 -fvisibility=hidden' \
	'clang++-19 -O0' 'clang++-19 -O2' 'clang++-19 -O2 -DSIS_NO_PATCH'; do
	cxx=${way%% *} flags=${way#* }
	command -v "$cxx" >/dev/null || { skip "$way" "there is none"; continue; }
	sisc="$SISC++ --sis-cc=$cxx"
	# shellcheck disable=SC2086
	{ $cxx $flags -fPIC -c one.cc -o plain.o && $cxx $flags -fPIC -c main.cc -o main.o &&
		$sisc $flags $all -fPIC -c one.cc -o one.o &&
		$sisc $flags $all -fPIC -c two.cc -o two.o; } 2>build.err ||
		give_up "$way compiles" build.err
	link() { # link OBJECT...: of the program
		# shellcheck disable=SC2086
		$sisc $flags "$@" -Wl,-rpath,"$T" -o program 2>build.err ||
			give_up "$way links" build.err
	}
	link main.o plain.o two.o
	says "$way, the plain object first" 0
	link main.o two.o plain.o
	is_silent "$way, the plain object last" 6
	link main.o one.o two.o
	is_silent "$way, all by sisc" 6
	rm -f libboth.a
	ar rcs libboth.a plain.o two.o
	link main.o libboth.a
	says "$way, an archive" 0
	case $flags in *hidden* | *flto*) continue ;; esac # libraries export nothing, or have no names
	# shellcheck disable=SC2086
	{ $sisc $flags -shared plain.o two.o -o libboth.so &&
		$cxx $flags -shared plain.o -o libplain.so &&
		$sisc $flags -shared two.o -o libtwo.so; } 2>build.err ||
		give_up "$way links libraries" build.err
	link main.o -L. -lboth
	says "$way, a library" 0
	link main.o -L. -lplain -ltwo
	says "$way, a plain library first" 0
	link main.o -L. -ltwo -lplain
	is_silent "$way, a plain library last" 6
	link main.o two.o -L. -lplain
	is_silent "$way, a plain library of a program with probes" 6
	# shellcheck disable=SC2086
	$cxx $flags main.o plain.o -L. -ltwo -Wl,-rpath,"$T" -o program
	says "$way, a plain program with a library" 0
	strip program libtwo.so
	link main.o one.o -L. -ltwo
	is_silent "$way, a stripped library" 6
done

# -- with a large code model, probes refer to their tables in another way
SISC_CC=g++ build program -O2 -mcmodel=large $all main.cc one.cc two.cc
is_silent "large code model, all by sisc" 6

# -- a copy of which all calls are inlined is of no interest; functions of one unit are no copies
source_file inlined.h <<'END'
inline __attribute__((always_inline)) int twice(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += 2 * i;
	return s;
}
END
printf '#include "inlined.h"\nint one(int n) { return twice(n); }\n' >inlined_one.cc
printf '#include "inlined.h"\nint two(int n) { return twice(n); }\n' >inlined_two.cc
for cxx in g++ clang++-19; do
	command -v $cxx >/dev/null || { skip "$cxx" "there is none"; continue; }
	$cxx -O1 -c inlined_one.cc -o plain.o
	SISC_CC=$cxx build program -O1 $all main.cc plain.o inlined_two.cc
	run_alone 1 ./program
	lacks "$cxx: nothing is said of calls that are inlined" "$(analyze report "$EXP")" \
		'calls are missing'
done

# -- the compiler removes probes whose condition is never true
source_file never.cc <<'END'
__attribute__((noinline)) inline int f(int n)
{
#pragma sis cr CR_F if(0)
	int s = 0;
	for (int i = 0; i < n; i++)
		s ^= i;
	return s;
}
template <class T> __attribute__((noinline)) T g(T n)
{
#pragma sis cr CR_F if(0)
	T s = 0;
	for (T i = 0; i < n; i++)
		s ^= i;
	return s;
}
int main() { return f(10) + g(10) == 0; }
END
for way in 'g++ -O0' 'g++ -O2 -flto' 'clang++-19 -O0' 'clang++-19 -O2'; do
	command -v "${way%% *}" >/dev/null || { skip "$way" "there is none"; continue; }
	# shellcheck disable=SC2086
	SISC_CC=${way%% *} build program ${way#* } never.cc
	run_alone 1 ./program
	lacks "$way: nothing is said of conditions that are never true" \
		"$(analyze report "$EXP")" 'calls are missing'
done

# -- of many functions, some are named
for i in 1 2 3 4 5 6 7; do
	echo "inline __attribute__((noinline)) int f$i(int n)
		{ int s = $i; for (int k = 0; k < n; k++) s ^= k; return s; }"
done >many.h
calls='f1(n) + f2(n) + f3(n) + f4(n) + f5(n) + f6(n) + f7(n)'
printf '#include "many.h"\nint one(int n) { return %s; }\n' "$calls" >many_one.cc
printf '#include "many.h"\nint two(int n) { return %s; }\n' "$calls" >many_two.cc
g++ -c many_one.cc -o plain.o
SISC_CC=g++ build program $all main.cc plain.o many_two.cc
run_alone 1 ./program
matches "many functions" "$(analyze report "$EXP")" \
	'of f1, f2, f3, f4, f5 and 2 more functions: the linker kept'
touch -d '+1 hour' program
rm "$T/sis.db"
lacks "nothing is said of a program that is newer than the run" "$(analyze report "$EXP")" \
	'calls are missing'
