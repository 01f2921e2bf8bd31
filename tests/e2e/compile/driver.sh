# SPDX-License-Identifier: BSD-3-Clause
# sisc instead of the compiler: build systems, what a program depends on, a missing
# compiler.
. "$(dirname "$0")/../lib.sh"

source_file hello.c <<'END'
#include <stdio.h>
int main(void) { puts("hello"); return 0; }
END
source_file ping.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
needed() { readelf -d "$1" | grep NEEDED; }

build hello hello.c
matches "a program has the runtime" "$(needed hello)" 'libsis\.so'
lacks "without MPI it has no MPI part" "$(needed hello)" libsis-mpi
build ping ping.c
matches "with MPI it has the MPI part" "$(needed ping)" 'libsis-mpi'
check "the instrumentation description is beside it" jq -e '.units[0].regions[0].type' hello.idf
check "it is complete JSON of its version" jq -e '.sis_idf == 1 and (.units | length) == 1' \
	hello.idf

one_error "a missing compiler" 1 "^sisc: error: .*'nosuchcc'.*(--sis-cc|SISC_CC)" \
	"$SISC" --sis-cc=nosuchcc -c hello.c
"$SISC" -c nosuchfile.c 2>sisc.err
sisc_status=$?
gcc -c nosuchfile.c 2>/dev/null
equal "a missing source: the compiler's status" $sisc_status $?
matches "and its message" "$(cat sisc.err)" nosuchfile.c
printf 'int main(void) { return x; }\n' >wrong.c
"$SISC" -c wrong.c 2>sisc.err
equal "a wrong program: status" $? 1
matches "a wrong program: the compiler's message with its place" \
	"$(cat sisc.err)" \
	'^wrong.c:1:[0-9]*: error:'
equal "-print-prog-name and the like pass" "$("$SISC" -dumpmachine)" "$("$MPICC" -dumpmachine)"
check "-E passes" sh -c "'$SISC' -E hello.c | grep -q hello"
matches "-MM names the source only" "$("$SISC" -MM hello.c)" '^hello.o: hello.c$'

# make, with dependencies, parallel, objects and an archive
mkdir make && cp hello.c make/
source_file make/part.c <<'END'
int part(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
END
source_file make/main.c <<'END'
int part(int n);
int main(void) { return part(4) != 6; }
END
source_file make/Makefile <<'END'
CFLAGS = -O2 -Wall -Wextra -Werror -MMD
prog: main.o libpart.a
	$(CC) $(CFLAGS) -o $@ $^
libpart.a: part.o
	$(AR) rcs $@ $^
-include *.d
END
make -C make -j2 CC="$SISC" >make.out 2>&1 || give_up "make CC=sisc" make.out
run_alone 1 make/prog
equal "make CC=sisc: runs" "$run_status" 0
equal "make CC=sisc: functions of objects and archives" \
	"$(query '[.[] | select(.region == "part" or .region == "main") | .region] | unique |
		join(" ")' regions "$EXP")" "main part"
lacks "dependency files name no file of ours" "$(cat make/*.d)" 'tmp|probe\.h'

if command -v cmake >/dev/null; then
	mkdir cmake && cp make/part.c make/main.c cmake/
	source_file cmake/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
project(prog C)
include(CheckFunctionExists)
check_function_exists(nanosleep HAVE_NANOSLEEP)
add_library(part SHARED part.c)
add_executable(prog main.c)
target_link_libraries(prog part)
END
	cmake -S cmake -B cmake/build -DCMAKE_C_COMPILER="$SISC" >cmake.out 2>&1 ||
		give_up "cmake with sisc" cmake.out
	matches "cmake knows the compiler" "$(cat cmake.out)" 'compiler identification is GNU'
	check "cmake finds functions" grep -q 'HAVE_NANOSLEEP.*=1' cmake/build/CMakeCache.txt
	cmake --build cmake/build >cmake.out 2>&1 || give_up "cmake --build with sisc" cmake.out
	run_alone 1 cmake/build/prog
	equal "cmake: runs" "$run_status" 0
	equal "cmake: functions of the program and its shared library" \
		"$(query '[.[] | select(.region == "part" or .region == "main") | .region] |
			unique | join(" ")' regions "$EXP")" "main part"
else
	skip "CMake project" "no cmake"
fi

# What the command prints and leaves behind
equal "--sis-emit writes no file" \
	"$(mkdir e && cd e && "$SISC" --sis-emit ../hello.c >../emitted && ls)" \
	""
matches "--sis-emit prints probes" "$(cat emitted)" 'SIS_(SCOPE|ENTER)'
check "--sis-off builds" "$SISC" --sis-off hello.c -o off
lacks "--sis-off: no runtime" "$(needed off)" libsis
matches "--sis-list knows the tables" "$("$SISC" --sis-list)" 'CR_OMPFOR'
matches "--sis-list shows what influences a metric" \
	"$("$SISC" --sis-list | grep -A1 IOBYTES_R)" \
	'^ +< CR_IO CR_MPIIO$'
check "--sis-help" "$SISC" --sis-help
