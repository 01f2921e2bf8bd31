# SPDX-License-Identifier: BSD-3-Clause
# sisc --sis-blame: the section is in every object and program, however these are made, and their
# text is that without it.
. "$(dirname "$0")/../lib.sh"

source_file calm.c <<'END'
static double table[8];
static double (*const step[])(double) = { 0 };
double total(const double *v, int n)
{
	double sum = step[0] ? step[0](0) : 0;
	for (int i = 0; i < n; i++)
		sum += v[i] * table[i % 8];
	return sum;
}
END
source_file main.c <<'END'
#include <stdio.h>
double total(const double *v, int n);
int main(void)
{
	double v[3] = { 1, 2, 3 };
	printf("%g\n", total(v, 3));
	return 0;
}
END

blobs() { # blobs FILE: how many the section has
	objcopy -O binary --only-section=sis_blame --set-section-flags sis_blame=alloc "$1" raw &&
		grep -a -o SISBLAME raw | wc -l
}
text() { objdump -d --no-show-raw-insn "$1" | sed -n '/<total>:/,/^$/p'; }

for compiler in gcc clang-19; do
	for flags in -O0 -O2 "-O2 -flto"; do
		[ "$compiler $flags" = "clang-19 -O2 -flto" ] && continue # needs LLVM's plugin
		# shellcheck disable=SC2086
		"$SISC" --sis-cc=$compiler --sis-blame $flags -ffunction-sections -c calm.c main.c \
			2>notes
		# shellcheck disable=SC2086
		"$SISC" --sis-cc=$compiler --sis-blame $flags -Wl,--gc-sections calm.o main.o \
			-o prog 2>>notes
		equal "$compiler $flags: two blobs in the program" "$(blobs prog)" 2
		equal "$compiler $flags: no note" "$(cat notes)" ""
		equal "$compiler $flags: the program prints the same" \
			"$(SIS_LOG=quiet SIS_OUTPUT=out ./prog)" 0
	done
	"$SISC" --sis-cc=$compiler --sis-blame -O2 -c calm.c -o with.o
	"$SISC" --sis-cc=$compiler -O2 -fno-omit-frame-pointer -c calm.c -o without.o
	equal "$compiler: the text is the same" "$(text with.o)" "$(text without.o)"
	"$SISC" --sis-cc=$compiler --sis-blame -S calm.c -o calm.s
	$compiler -c calm.s -o again.o
	equal "$compiler: the section is in assembly" "$(blobs again.o)" 1
done

cat >calm.cc <<'END_OF_SOURCE'
#include <map>
#include <string>
#include <vector>
struct Base { virtual ~Base() {} virtual int of(int n) = 0; };
struct Twice : Base { int of(int n) override { return 2 * n; } };
std::map<std::string, std::vector<int>> table;
template <class T> T sum(const std::vector<T> &list)
{
	T total{};
	for (const auto &x : list)
		total += x;
	return total;
}
int all(Base &base)
{
	try {
		auto [at, is_new] = table.insert({ "a", { 1, 2, base.of(3) } });
		int added = is_new;
		return sum(at->second) + [&] { return added; }();
	} catch (...) {
		throw;
	}
}
int main() { Twice twice; return all(twice) - 10; }
END_OF_SOURCE
whole_text() { objdump -d --no-show-raw-insn "$1" | grep -v 'file format'; }
for compiler in "${CXX:-g++}" clang++-19; do
	"$SISC" --sis-cc="$compiler" --sis-blame --sis-verify -std=c++17 -O2 -c calm.cc -o with.o
	"$SISC" --sis-cc="$compiler" -std=c++17 -O2 -fno-omit-frame-pointer -c calm.cc -o without.o
	equal "C++, $compiler: a section" "$(blobs with.o)" 1
	check "C++, $compiler: there is text" [ "$(whole_text with.o | wc -l)" -gt 100 ]
	equal "C++, $compiler: the text is the same" "$(whole_text with.o)" \
		"$(whole_text without.o)"
	"$SISC" --sis-cc="$compiler" --sis-blame with.o -o prog
	equal "C++, $compiler: the program returns the same" \
		"$(SIS_LOG=quiet SIS_OUTPUT=out ./prog; echo $?)" 0
done
printf 'int broken(int n) { return n + ; }\nint main() { return 0; }\n' >broken.cc
equal "C++ that cannot be compiled: the compiler's errors, and nothing of ours" \
	"$("$SISC" --sis-cc="${CXX:-g++}" --sis-blame -c broken.cc -o x.o 2>&1 | grep -c 'sisc')" 0

"$SISC" --sis-cc=gcc -c calm.c -o plain.o
equal "without the option there is none" "$(blobs plain.o)" 0
equal "it says what it adds" \
	"$("$SISC" --sis-cc=gcc --sis-blame --sis-explain -c calm.c -o x.o | grep adds)" \
	"sisc: --sis-blame adds -g1
sisc: --sis-blame adds -fno-omit-frame-pointer"
equal "it says what is missing with -g0" \
	"$("$SISC" --sis-cc=gcc --sis-blame -g -g0 -c calm.c -o x.o 2>&1)" \
	"sisc: note: --sis-blame with -g0: without debug information samples cannot be placed in this \
code; remove -g0"
equal "and nothing where a later option asks for debug information" \
	"$("$SISC" --sis-cc=gcc --sis-blame -g0 -g -c calm.c -o x.o 2>&1)" ""
equal "and adds nothing where the user decided" \
	"$("$SISC" --sis-cc=gcc --sis-blame --sis-explain -g -fomit-frame-pointer -c calm.c -o x.o |
		grep -c adds)" 0
