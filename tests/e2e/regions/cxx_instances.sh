# SPDX-License-Identifier: BSD-3-Clause
# Each instance of a template of C++ is a region, whichever file makes it. Tables add up the
# instances of a template if there are many.
. "$(dirname "$0")/../lib.sh"

source_file field.h <<'END'
#include <string>
#include <vector>
namespace grid {
template <class T, int N> struct Field {
	std::vector<T> v = std::vector<T>(1000);
	void update(int k) { for (int i = 0; i < 1000; i++) v[i] += T(k * N); }
	template <class U> U convert(U u) const { for (const T &x : v) u += U(x); return u; }
	T operator()(int n) const { T s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; }
};
template <> struct Field<char, 1> {
	int update(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
};
template <class T> T norm(const T *a, int n)
{
	T s = 0;
	for (int i = 0; i < n; i++) s += a[i] * a[i];
	return s;
}
template <class T> T norm(const std::vector<T> &a) { T s = 0; for (T x : a) s += x * x; return s; }
}
template <class... A> int pack(A... a)
{
	int s = 0;
	for (int i = 0; i < 9; i++) s += (int(a) + ...);
	return s;
}
double other(grid::Field<double, 2> &field);
END
source_file other.cc <<'END'
#include "field.h"
double other(grid::Field<double, 2> &field) { field.update(2); return field.convert(1.0); }
END
source_file main.cc <<'END'
#include "field.h"
#include <cstdio>
template <class T> std::size_t length(T t)
{
	std::size_t n = 0;
	for (int i = 0; i < 9; i++) n += t.size();
	return n;
}
int main()
{
	grid::Field<double, 2> d;
	grid::Field<float, 3> f;
	grid::Field<char, 1> c;
	double a[3] = { 1, 2, 3 };
	auto generic = [](auto x) { for (int i = 0; i < 9; i++) x += i; return x; };
	d.update(1), f.update(2), c.update(3);
	std::printf("%g %g %g %d %zu %g %d\n", other(d), double(f(3)),
		    grid::norm(a, 3) + grid::norm(d.v), pack(1, 2.5, 'x') + pack(1),
		    length(std::string("abc")), generic(1.5), generic(2));
	return d.convert(1) == 0;
}
END
expected='grid::Field<char, 1>::update:1
grid::Field<double, 2>::convert<double>:1
grid::Field<double, 2>::convert<int>:1
grid::Field<double, 2>::update:2
grid::Field<float, 3>::operator():1
grid::Field<float, 3>::update:1
grid::norm(const double *, int):1
grid::norm(const std::vector<double> &):1
lambda@15<double> in main:1
lambda@15<int> in main:1
length<std::basic_string<char>>:1
other:1
pack<int, double, char>:1
pack<int>:1'
for way in "g++ -O0 -fPIC" "g++ -O2 -flto" "clang++-19 -O2 -fPIC"; do
	# shellcheck disable=SC2086
	SISC_CC=${way%% *} build program --sis-verify --sis-cr=CR_F -std=c++17 ${way#* } \
		main.cc other.cc
	${way%% *} -std=c++17 -o plain main.cc other.cc
	run_alone 1 ./program
	equal "$way: output" "$(cat run.out)" "$(./plain)"
	equal "$way: regions" "$(analyze regions --type CR_F "$EXP" --json |
		jq -r 'group_by(.region)[] | "\(.[0].region):\(map(.calls) | add)"')" "$expected"
done
lines=$(analyze regions --templates "$EXP")
matches "--templates: methods" "$lines" '^grid::Field<T, N>::update +CR_F +field.h:6 +3 '
matches "--templates: functions" "$lines" '^pack +CR_F +field.h:21 +2 '
matches "--templates: lambdas" "$lines" '^lambda in main +CR_F +main.cc:15 +2 '

# -- filters ---------------------------------------------------------------------------------------
printf 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE grid::Field<double,*\nSCOREP_REGION_NAMES_END\n' >instance
printf 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE grid::Field<T,*\nSCOREP_REGION_NAMES_END\n' >template
SIS_FILTER=instance run_alone 1 ./program
equal "a filter names an instance" "$(analyze regions --tree "$EXP" | grep -c '^ .*Field<')" 3
SIS_FILTER=template run_alone 1 ./program
equal "a filter names a template" "$(analyze regions --tree "$EXP" | grep -c '^ .*Field<')" 1

# -- lambdas in a template -------------------------------------------------------------------------
source_file lambdas.cc <<'END'
template <class T> struct Held {
	T t;
	~Held()
	{
		auto typed = [](int x) { int s = 0; for (int i = 0; i < x; i++) s += i; return s; };
		auto any = [](auto x) { int s = 0; for (int i = 0; i < x; i++) s += i; return s; };
		if (typed(5) != any(5L))
			throw 1;
	}
};
struct Item {};
int main() { Held<Item> a; Held<unsigned long> b; Held<const char *> c; }
END
for cxx in g++ clang++-19; do
	SISC_CC=$cxx build lambdas --sis-cr=CR_F -std=c++17 -O1 lambdas.cc
	run_alone 1 ./lambdas
	equal "lambdas in a template, $cxx: status" $run_status 0
	equal "lambdas in a template, $cxx" "$(analyze regions --type CR_F "$EXP" --json |
		jq -r '[.[].region] | sort | .[]')" "Held<Item>::~Held
Held<const char *>::~Held
Held<unsigned long>::~Held
lambda@5 in Held<Item>::~Held
lambda@5 in Held<const char *>::~Held
lambda@5 in Held<unsigned long>::~Held
lambda@6<long> in Held<Item>::~Held
lambda@6<long> in Held<const char *>::~Held
lambda@6<long> in Held<unsigned long>::~Held"
done

# -- many instances --------------------------------------------------------------------------------
source_file many.cc <<'END'
template <int N> struct A {
	int run(int n) { int s = N; for (int i = 0; i < n; i++) s = s * 3 + i; return s; }
};
template <int N> int sum(int n)
{
	int r = A<N>().run(n);
	if constexpr (N > 0)
		r += sum<N - 1>(n);
	return r;
}
int main() { return sum<12>(1000) == 0; }
END
SISC_CC=g++ build many --sis-cr=CR_F -std=c++17 -O1 many.cc
run_alone 1 ./many
table=$(analyze regions "$EXP")
matches "many instances: one line" "$table" '^sum +CR_F +many.cc:4 +13 '
matches "many instances of a class: one line" "$table" '^A<N>::run +CR_F +many.cc:2 +13 '
# the instances are inside of each other, so the time of the outermost one counts
check "many instances: nested times count once" awk '/^sum / { sum = $5 } /^main / { main = $5 }
	END { exit !(sum > 0 && sum <= main) }' <<END
$table
END
equal "many instances: each is in the tree" "$(analyze regions --tree "$EXP" | grep -c 'sum<')" 13
