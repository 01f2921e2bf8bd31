# SPDX-License-Identifier: BSD-3-Clause
# C++ in a build: objects of both languages are measured and link, our headers are valid C++, and of
# a program that sisc did not compile MPI and OpenMP are measured.
# ci: it compiles many programs
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
same "a .c file is C++ to it" g++ -std=c++17 -Wall -Wextra -c asplus.c
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
	equal "$program: both are measured" \
		"$(query '[.[] | select(.type == "CR_F") | "\(.region) \(.calls)"] | sort |
			join(", ")' regions "$EXP")" \
		"Loud::~Loud 6, sum 4, twice 6"
done
check "imported" analyze import "$EXP"
equal "the repository has the languages" "$(query '[.[] | "\(.path) \(.language)"] | join(", ")' \
	sql "SELECT DISTINCT path, language FROM source_file WHERE path <> '' ORDER BY path")" \
	"both.cc C++, sum.c C"
cd "$T" || exit 1

# -- a program in C++ alone; if sisc only links it, MPI and OpenMP are measured
source_file alone.cc <<'EOF'
#include <mpi.h>
#include <cstdio>
int main(int argc, char **argv)
{
	int sum = 0;
	MPI_Init(&argc, &argv);
#pragma omp parallel for num_threads(2) reduction(+ : sum)
	for (int i = 0; i < 10; i++)
		sum += i;
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return sum != 90;
}
EOF
source_file team.cc <<'EOF'
int main()
{
	int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
	for (int i = 0; i < 10; i++)
		sum += i;
	return sum != 45;
}
EOF
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | tr '\n' ' '; }
regions_of_run() {
	query '[.[] | .region |= sub("@.*"; "") |
			select(.region | test("^(omp )?parallel|reduce$"))] |
		group_by(.region) | map("\(.[0].region) \(map(.calls) | add)") | join(", ")' \
		regions "$EXP"
}
note() {
	echo "sisc: note: $1: sisc compiled none of its functions," \
		"so only MPI and OpenMP are measured"
}
mpicxx -fopenmp -c alone.cc || give_up "mpicxx compiles alone.cc"
equal "C++ alone: an object is linked, with one note" \
	"$("$SISC++" -fopenmp alone.o -o alone 2>&1)" "$(note alone)"
run 2 2 ./alone
equal "C++ alone: MPI and OpenMP are measured" "$run_status $(regions_of_run)" \
	"0 MPI_Allreduce 2, parallel 4"
equal "C++ alone: one command says nothing" "$("$SISC++" -fopenmp alone.cc -o alone 2>&1)" ""
run 2 2 ./alone
equal "C++ alone: one command: measured" "$run_status $(regions_of_run)" \
	"0 MPI_Allreduce 2, omp parallel for 4"
equal "C++ alone: --sis-off says nothing" "$("$SISC++" --sis-off -fopenmp alone.o -o alone 2>&1)" ""
lacks "C++ alone: --sis-off links nothing of ours" "$(needed alone)" libsis
for cxx in g++ clang++-19; do
	$cxx -fopenmp -c team.cc
	equal "$cxx, without MPI: the note" \
		"$("$SISC++" --sis-cc=$cxx -fopenmp team.o 2>&1)" "$(note a.out)"
	lacks "$cxx, without MPI: no part for MPI" "$(needed a.out)" libsis-mpi
	run_alone 2 ./a.out
	equal "$cxx, without MPI: OpenMP is measured" "$run_status $(regions_of_run)" "0 parallel 2"
done
if g++ -static -fopenmp team.cc -o team 2>/dev/null; then
	SISC_CXX=g++ "$SISC++" -static -fopenmp team.cc -o team 2>build.err
	run_alone 2 ./team
	equal "-static: measured" "$run_status $(regions_of_run)" "0 omp parallel for 2"
fi
sed 's/int main(/int library(/' alone.cc >library.cc
echo 'int library(int, char **); int main(int n, char **v) { return library(n, v); }' >user.cc
equal "a library in C++: no note" \
	"$("$SISC++" -fopenmp -fPIC -shared library.cc -o liblibrary.so 2>&1)" ""
equal "its program: no note" \
	"$("$SISC++" user.cc -L. -llibrary -Wl,-rpath,"$T" -o user 2>&1)" ""
run 2 2 ./user
equal "a library in C++: measured" "$run_status $(regions_of_run)" \
	"0 MPI_Allreduce 2, omp parallel for 4"

# -- build systems examine sisc++
if command -v cmake >/dev/null; then
	mkdir cmake && cp alone.cc cmake && source_file cmake/CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.10)
project(project CXX)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(MPI REQUIRED COMPONENTS CXX)
add_executable(alone alone.cc)
target_link_libraries(alone PRIVATE MPI::MPI_CXX OpenMP::OpenMP_CXX)
EOF
	for cxx in g++ "$SISC++"; do
		SISC_CXX=g++ CXX=$cxx cmake -S cmake -B "cmake/${cxx##*/}" >cmake.out 2>&1 ||
			give_up "cmake with $cxx" cmake.out
	done
	for facts in CMakeCache.txt 'CMakeFiles/*/CMakeCXXCompiler.cmake'; do
		# shellcheck disable=SC2086
		equal "CMake: finds out the same, $facts" \
			"$(grep -E 'COMPILER_(ID|VERSION)|_FEATURES|IMPLICIT|OpenMP_|MPI_' \
				cmake/sisc++/$facts | sed 's/sisc++/g++/g')" \
			"$(grep -E 'COMPILER_(ID|VERSION)|_FEATURES|IMPLICIT|OpenMP_|MPI_' \
				cmake/g++/$facts)"
	done
	lacks "CMake: no note about its own programs" "$(cat cmake.out)" 'sisc: note'
	SISC_CXX=g++ cmake --build cmake/sisc++ >cmake.out 2>&1 || give_up "cmake --build" cmake.out
	lacks "CMake: no note about the program" "$(cat cmake.out)" 'sisc: note'
	run 2 2 cmake/sisc++/alone
	equal "CMake: measured" "$run_status $(regions_of_run)" \
		"0 MPI_Allreduce 2, omp parallel for 4"
else
	skip "CMake" "not installed"
fi
echo 'int main() { return 0; }' >conftest.cpp
equal "a program of configure: no note" "$("$SISC++" conftest.cpp -o conftest 2>&1)" ""
lacks "a program of configure: nothing of ours" "$(needed conftest)" libsis
