# SPDX-License-Identifier: BSD-3-Clause
# Regions of C++: names that a programmer would type, templates and inline functions of headers, and
# what is left alone. tests/rewrite has the text for each construct.
. "$(dirname "$0")/../lib.sh"
unset SIS_ASLEEP

source_file work.h <<'END'
#pragma once
#include <vector>
namespace grid {
template <class T> class Field {
public:
	explicit Field(int n) : data(n, T(1)) {}
	T sum() const
	{
		T s = 0;
		for (int round = 0; round < 100; round++)
			for (const T &x : data)
				s += x;
		return s;
	}
	T operator[](int i) const { return data[i]; }
private:
	std::vector<T> data;
};
}
inline double total(int n)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += i % 7;
	return sum;
}
END
source_file other.cc <<'END'
#include "work.h"
double other(int n) { return grid::Field<double>(n).sum() + total(n); }
END
source_file main.cc <<'END'
#include "work.h"
#include <cstdio>
#include <stdexcept>
double other(int n);
namespace {
struct Loud {
	~Loud() { std::puts("unwound"); }
};
}
static double norm(const std::vector<double> &v)
{
	double sum = 0;
	for (double x : v)
		sum += x * x;
	return sum;
}
static double norm(int n) { return norm(std::vector<double>(n, 2)); }
static void fail(int n)
{
	Loud loud;
	if (total(n) > 10)
		throw std::runtime_error("too large");
}
int main()
{
	std::printf("%g %d\n", grid::Field<double>(50).sum(), grid::Field<int>(30).sum());
	std::printf("%g %g %g\n", other(1000), total(2000), norm(5000));
	try {
		fail(1000);
	} catch (const std::exception &e) {
		std::printf("%s\n", e.what());
	}
	return 4;
}
END
calls() {
	query '[.[] | select(.type == "CR_F")] | group_by([.region, .file, .line_start]) |
		map("\(.[0].region) \(map(.calls) | add)") | .[]' regions "$EXP"
}
wanted='(anonymous)::Loud::~Loud 1
fail 1
grid::Field<double>::sum 2
grid::Field<int>::sum 1
norm(const std::vector<double> &) 1
norm(int) 1
other 1
total 3'
for cxx in g++ clang++-19; do
	command -v $cxx >/dev/null || { skip "$cxx" "there is none"; continue; }
	for flags in -O2 '-O2 -flto' '-O1 -fuse-ld=gold' '-O1 -fuse-ld=lld' -shared; do
		[ "$cxx $flags" != "clang++-19 -O2 -flto" ] || continue # its linker is not installed
		sisc="$SISC++ --sis-cc=$cxx --sis-verify"
		if [ "$flags" = -shared ]; then
			plain="$cxx main.cc other.cc"
			{ $sisc -fPIC -shared other.cc -o libother.so &&
				$sisc main.cc -L. -lother -Wl,-rpath,"$T" -o program; } >build.err 2>&1
		else
			plain="$cxx $flags main.cc other.cc"
			# shellcheck disable=SC2086
			$sisc $flags main.cc other.cc -o program >build.err 2>&1
		fi
		equal "$cxx $flags: nothing is said" "$(cat build.err)" ""
		$plain -o plain && ./plain >plain.out
		run_alone 1 ./program
		equal "$cxx $flags: status and output" "$run_status $(cat run.out)" "4 $(cat plain.out)"
		equal "$cxx $flags: calls, whichever copy the linker keeps" "$(calls)" "$wanted"
	done
	for year in 98 11 20; do
		echo 'struct S { int f() { int s = 0; for (int i = 0; i < 100000; i++) s ^= i; return s; } };
			int main() { return S().f() != 0; }' >year.cc
		$SISC++ --sis-cc=$cxx -std=c++$year -Wall -Wextra year.cc -o year >build.err 2>&1
		run_alone 1 ./year
		equal "$cxx, C++$year: measured" "$run_status $(cat build.err) $(calls)" "0  S::f 1"
	done
done

# -- destructors run although the program uses nothing else of the library of C++
cat >unwound.cc <<'END'
#include <stdlib.h>
#include <unwind.h>
struct Guard {
	~Guard() { _Exit(7); }
};
static _Unwind_Reason_Code stop(int, _Unwind_Action actions, _Unwind_Exception_Class,
				_Unwind_Exception *, _Unwind_Context *, void *)
{
	if (actions & _UA_END_OF_STACK)
		abort();
	return _URC_NO_REASON;
}
int main()
{
	static _Unwind_Exception exception;
	Guard guard;
	_Unwind_ForcedUnwind(&exception, stop, nullptr);
	return 0;
}
END
for cxx in g++ clang++-19; do
	command -v $cxx >/dev/null || { skip "$cxx" "there is none"; continue; }
	$SISC++ --sis-cc=$cxx --sis-cr=CR_F -O1 -Wl,--as-needed unwound.cc -o unwound >build.err 2>&1
	run_alone 1 ./unwound
	equal "$cxx: destructors run with --as-needed" "$run_status $(cat build.err)" "7 "
done

# -- which
SISC_CXX=g++
export SISC_CXX
explain() { "$SISC++" --sis-explain "$@" -c main.cc -o main.o; }
matches "a pattern names an instantiated template" "$(explain --sis-exclude='grid::*::sum')" \
	' grid::Field<T>::sum: not measured: .*exclude'
lacks "and no other function" "$(explain --sis-exclude='grid::*::sum')" 'total: not measured: .*exclude'
matches "an overload is told apart" "$(explain --sis-exclude='norm(int)')" \
	'CR_F norm\(int\): not measured: .*exclude'
matches "from the other one" "$(explain --sis-exclude='norm(int)')" \
	'CR_F norm\(const std::vector<double> &\): measured'
matches "tiny methods have none" "$(explain)" 'Field<T>::operator\[\]: not measured: tiny'
sed 's/\(.*\) /\1\t/' >earlier.regions <<'END'
leave 1000000 10 norm(const std::vector<double> &) main.cc
leave 1000000 10 grid::Field<T>::sum work.h
END
equal "an earlier run names both" "$(explain --sis-profile=earlier.regions |
	sed -n 's/.* CR_F \(.*\): not measured: earlier.regions.*/\1/p')" \
	"grid::Field<T>::sum
norm(const std::vector<double> &)"
source_file often.cc <<'END'
__attribute__((noinline)) static long step(long n) { return n ^ n >> 1; }
__attribute__((noinline)) static double step(double x) { return x / 2; }
int main()
{
	long sum = 0;
	for (int i = 0; i < 3000000; i++)
		sum += step(sum + i);
	return sum + step(1.0) < 0;
}
END
"$SISC++" --sis-cr=CR_F -O1 often.cc -o often
run_alone 1 ./often
analyze suggest-regions "$EXP" --output suggested.regions
equal "suggest-regions names an overload so" "$(sed -n 's/^leave [0-9]* [0-9]* //p' \
	suggested.regions)" "step(long) often.cc"
source_file left.cc <<'END'
constexpr int square(int n) { return n * n; }
static int table[square(3)];
int main() { return square(table[0]); }
END
matches "constexpr functions are left alone" \
	"$("$SISC++" --sis-cr=CR_F --sis-explain -c left.cc -o left.o)" \
	'square: not measured: is in a constexpr function'
source_file refused.cc <<'END'
int main() { return __builtin_bit_cast_unknown(1); }
END
g++ -c refused.cc -o refused.o 2>plain.err
"$SISC++" -c refused.cc -o refused.o 2>said.err
check "errors are the compiler's" cmp plain.err said.err
