# SPDX-License-Identifier: BSD-3-Clause
# C++ in a build: sisc passes C++ files through, objects of both languages link, and our headers
# are valid C++.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_driver.sh"

source_file headers.cc <<'END'
#include <sis/sis.h>
#include <sis/sis_ast.h>
#include <sis/sis_plan.h>
#include <sis/sis_plugin.h>
#include <sis/tables.h>
inline int work(int n) { SIS_CR(work begin) n++; SIS_END return n; }
int main() { return work(-1) + static_cast<int>(CR_NONE); }
END
for cxx in g++ clang++-19; do
	for year in 11 14 17 20; do
		check "$cxx: headers, C++$year" $cxx -std=c++$year -Wall -Wextra -Wpedantic \
			-Werror -I"$build_dir/include" -c headers.cc
	done
	check "$cxx: sis/sis.h by sisc" env SISC_CC=$cxx "$SISC" -Wall -Wextra -Werror \
		-I"$build_dir/include" -c headers.cc
done

source_file src/sum.c <<'END'
int sum(int n);
int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
END
source_file src/both.cc <<'END'
#include <stdexcept>
#include <vector>
#include <cstdio>
extern "C" int sum(int n);
struct Loud { ~Loud() { std::puts("unwound"); } };
static int twice(int n)
{
	Loud loud;
	if (n > 3)
		throw std::runtime_error("big");
	return 2 * sum(n);
}
int main()
{
	std::vector<int> v;
	for (int i = 0; i < 6; i++)
		try {
			v.push_back(twice(i));
		} catch (const std::exception &e) {
			std::puts(e.what());
		}
	std::printf("%d of %zu\n", v.back(), v.size());
	return 3;
}
END
source_file src/asplus.c <<'END'
int sum(int n) { auto s = 0; for (auto i = 0; i < n; i++) s += i; return s; }
int main() { return sum(static_cast<int>(4)) - 6; }
END
same "a .c file is C++ to it" g++ -std=c++17 -Wall -Wextra asplus.c -o asplus
same "a .c file is C++ to clang++" clang++-19 -std=c++17 -c asplus.c
same "C, to a C++ compiler" g++ -x c -c sum.c
measured "C, to a C++ compiler" sum.o
same "both, in one command" g++ both.cc -x c sum.c -o both
runs_same "both, in one command" both

cd src || exit 1
check "C by sisc" "$SISC" -Wall -c sum.c
check "C++ by sisc" env SISC_CC=g++ "$SISC" -Wall -c both.cc
check "linked by sisc as g++" env SISC_CC=g++ "$SISC" both.o sum.o -o linked
check "linked by sisc, as C" "$SISC" both.o sum.o -lstdc++ -o linked_c
check "linked by g++ itself" g++ both.o sum.o -L"$build_dir/lib" -Wl,-rpath,"$build_dir/lib" -lsis \
	-o linked_plain
g++ both.cc -x c sum.c -o plain && ./plain >plain.out
for program in linked linked_c linked_plain; do
	run_alone 1 ./$program
	equal "$program: exit status" $run_status 3
	equal "$program: prints what it printed" "$(cat run.out)" "$(cat plain.out)"
	equal "$program: its C is measured" \
		"$(query '[.[] | select(.type == "CR_F") | "\(.region) \(.calls)"] | join(", ")' \
			regions "$EXP")" \
		"sum 4"
done
