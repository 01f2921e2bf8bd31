# SPDX-License-Identifier: BSD-3-Clause
# Build systems that do not know sisc: each builds the same project with sisc as its compiler and
# identifies it as the compiler behind it. All sources of the project are measured.
# ci: it compiles many programs
. "$(dirname "$0")/../lib.sh"

# The project: a program, a library in two directories, a plug-in that the program opens.
mkdir -p project/lib/deep
source_file project/main.c <<'END'
#include "lib/part.h"
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	int sum = part(4) + deep(3);
	if (argc > 1) {
		void *handle = dlopen(argv[1], RTLD_NOW);
		int (*plug)(int) = handle ? (int (*)(int))dlsym(handle, "plug") : 0;
		if (!plug) { puts(dlerror()); return 1; }
		sum += plug(5);
		dlclose(handle);
	}
	printf("%d\n", sum);
	return 0;
}
END
source_file project/lib/part.h <<'END'
int part(int n);
int deep(int n);
END
for name in part deep plug; do
	echo "int $name(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }" \
		>$name.c
done
{ echo '#include "part.h"'; cat part.c; } >project/lib/part.c
{ echo '#include "../part.h"'; cat deep.c; } >project/lib/deep/deep.c
mv plug.c project/plug.c && rm part.c deep.c

functions() {
	query '[.[] | select(.type == "CR_F" or .type == "CR_P") | .region] | unique | join(" ")' \
		regions "$EXP"
}
# works WHAT PROGRAM [PLUG-IN]: the program prints the sum, and its functions are measured
works() {
	what=$1 wanted="9 deep main part"
	[ $# -lt 3 ] || wanted="19 deep main part plug"
	shift
	run_alone 1 "$@"
	equal "$what: prints, and all functions are measured" \
		"$(cat run.out) $(functions)" \
		"$wanted"
}
copy() { rm -rf "$1" && cp -r project "$1"; }

# -- make, recursive, with archives and thin archives --------------------------------------------
copy make
source_file make/Makefile <<'END'
CFLAGS = -O2 -Wall -Wextra -Werror -MMD -MP
prog: main.o lib/libpart.a
	$(CC) $(LDFLAGS) -o $@ main.o -Llib -lpart -ldl
lib/libpart.a: lib
.PHONY: lib
lib:
	$(MAKE) -C lib
plug.so: plug.c
	$(CC) $(CFLAGS) -fPIC -shared -o $@ $<
-include main.d
END
source_file make/lib/Makefile <<'END'
CFLAGS = -O2 -Wall -Wextra -Werror -MMD -MP
libpart.a: part.o deep/deep.o
	rm -f $@ && $(AR) $(ARFLAGS) $@ $^
-include part.d deep/deep.d
END
for flags in rcs rcsT; do
	make -C make -B -j2 CC="$SISC" ARFLAGS=$flags prog plug.so >build.out 2>&1 ||
		give_up "make -j2, archives by ar $flags" build.out
	works "make -j2, archives by ar $flags" make/prog ./make/plug.so
done
equal "make: nothing is left to do" "$(make -s -C make/lib CC="$SISC")" ""
touch make/lib/part.h
lacks "make: a changed header is noticed" "$(make -C make/lib -n CC="$SISC")" 'up to date'
filtered="$SISC --sis-filter=$T/make/the.filter"
printf 'SIS_REGION_NAMES_BEGIN\nEXCLUDE part\nSIS_REGION_NAMES_END\n' >make/the.filter
touch make/lib/part.h # newer than all objects
make -s -C make/lib CC="$filtered" >build.out 2>&1 || give_up "make with a filter" build.out
equal "make: nothing is left to do with a filter" "$(make -s -C make/lib CC="$filtered")" ""
touch make/the.filter
matches "make: a changed filter is noticed" "$(make -C make/lib -n CC="$filtered")" \
	'deep/deep\.o deep/deep\.c'
rm make/the.filter
check "make: a filter that is removed with its option" make -C make/lib CC="$SISC"
"$SISC" --sis-cc=gcc -I make/lib -E make/lib/part.c >part.i
echo >other.filter
"$SISC" --sis-cc=gcc --sis-filter=other.filter -I make/lib -E make/lib/part.c >part2.i
"$SISC" --sis-cc=gcc --sis-filter=other.filter -I make/lib -E make/lib/part.c -o part3.i
equal "-E shows a filter, and nothing else" "$(diff part.i part2.i | sed 's/[0-9a-f]\{16\}/SUM/')" \
	"$(wc -l <part.i)a$(($(wc -l <part.i) + 1)),$(($(wc -l <part2.i)))
> # 1 \"other.filter\"
> # 1 \"<sis SUM>\""
check "-E -o, too" cmp part2.i part3.i
"$SISC" --sis-cc=gcc --sis-filter=other.filter -I make/lib -E -MMD -MF part.d \
	make/lib/part.c >part4.i
equal "-E -MMD -MF names a filter" "$(cat part.d)" "part.o: make/lib/part.c make/lib/part.h \\
 other.filter
other.filter:"
equal "-E: its output compiles" "$("$SISC" --sis-cc=gcc -Wall -Wextra -c part3.i 2>&1)" ""

gcc -O2 make/main.c make/lib/part.c make/lib/deep/deep.c -o plain -ldl
run_alone 1 ./plain ./make/plug.so
equal "a plain program opens an instrumented library" "$(cat run.out) $(functions)" "19 plug"
gcc -O2 -fPIC -shared make/plug.c -o plain.so
works "an instrumented program opens a plain library" make/prog
run_alone 1 make/prog ./plain.so
equal "an instrumented program opens a plain library" \
	"$(cat run.out) $(functions)" \
	"19 deep main part"

# -- Makefiles that test $(CC) for gcc, as `man sisc` says ----------------------------------------
copy tests
source_file tests/Makefile <<'END'
CC = gcc
ifneq (,$(findstring gcc,$(CC)))
  CFLAGS += -DFOUND
endif
ifeq ($(CC),gcc)
  CFLAGS += -DSAME
endif
prog: main.c lib/part.c lib/deep/deep.c
	$(CC) $(CFLAGS) -o $@ $^ -ldl
END
make -C tests -B CC="$SISC --sis-cc=gcc" >build.out 2>&1 ||
	give_up "CC='sisc --sis-cc=gcc'" build.out
works "a Makefile that searches for gcc in CC" tests/prog
matches "a Makefile that searches for gcc in CC: it finds it" "$(cat build.out)" '[-]DFOUND'
mkdir links && ln -s "$SISC" links/gcc
for compiler in /usr/bin/gcc ''; do
	PATH=$T/links:$PATH SISC_CC=$compiler make -C tests -B >build.out 2>&1 ||
		give_up "gcc is a link to sisc" build.out
	works "a Makefile that compares CC with gcc, SISC_CC='$compiler'" tests/prog
	matches "a Makefile that compares CC with gcc: they are the same" "$(cat build.out)" \
		'[-]DFOUND -DSAME'
done

# -- link-time optimization ----------------------------------------------------------------------
for flags in "gcc -flto" "gcc -flto -ffat-lto-objects" "gcc -flto=2 -fno-fat-lto-objects" \
	"clang-19 -flto"; do
	command -v "${flags%% *}" >/dev/null || {
		skip "LTO with $flags" "not installed" && continue
	}
	lto_ar=$([ "${flags%% *}" = gcc ] && echo gcc-ar || echo llvm-ar-19)
	command -v "$lto_ar" >/dev/null || { skip "LTO with $flags" "no $lto_ar" && continue; }
	make -C make -B -j2 CC="$SISC --sis-cc=${flags%% *}" AR="$lto_ar" ARFLAGS=rcs \
		CFLAGS="-O2 ${flags#* }" \
		LDFLAGS="-O2 ${flags#* }" prog >build.out 2>&1 || {
			not_ok "LTO with $flags: $(tail -n 3 build.out)" && continue
		}
	works "LTO with $flags" make/prog
done

# -- ccache, before sisc and behind it -----------------------------------------------------------
if command -v ccache >/dev/null; then
	CCACHE_DIR=$T/cache && export CCACHE_DIR
	for round in cold warm; do
		make -C make -B CC="ccache $SISC" ARFLAGS=rcs prog >build.out 2>&1 ||
			give_up "CC='ccache sisc'" build.out
		works "CC='ccache sisc', $round" make/prog
	done
	matches "CC='ccache sisc': it hits" \
		"$(ccache --print-stats)" \
		'(direct|preprocessed)_cache_hit[[:space:]]+[1-9]'
	printf '#include <sis/sis.h>\nint f(int n) { SIS_CR(one begin) n++; SIS_END return n; }\n' \
		>macro.c
	for name in one two; do
		sed -i "s/SIS_CR([a-z]* begin)/SIS_CR($name begin)/" macro.c
		ccache "$SISC" -I "$build_dir/include" -c macro.c
		matches "CC='ccache sisc': region $name is in its object" \
			"$(strings -a macro.o)" \
			"\"name\":\"$name\""
	done
	# The content of files that options name. Each way of ccache to find an object notices it.
	# listed FILE WHAT: the file leaves the function `one` out; or two; or none
	listed() {
		form='# regions\nleave 100 3 %s two.c\n'
		[ "$1" != f.filter ] ||
			form='SIS_REGION_NAMES_BEGIN\nEXCLUDE %s\nSIS_REGION_NAMES_END\n'
		# shellcheck disable=SC2059
		printf "$form" "$2" >"$1"
	}
	printf 'int one(int n) { for (int i = 0; i < n; i++) n -= one(i); return n; }\n' >two.c
	sed 's/one/two/g' two.c >part.c && cat part.c >>two.c && rm part.c
	for mode in CCACHE_DIRECT=1 CCACHE_NODIRECT=1 CCACHE_DEPEND=1 CCACHE_NOCPP2=1; do
		for option in filter=f.filter profile=f.regions; do
			found=
			rm -rf "$CCACHE_DIR"
			for which in one two one; do
				listed "${option#*=}" $which
				env $mode ccache "$SISC" --sis-cc=gcc --sis-$option -MD -c two.c
				found="$found $(strings -a two.o |
					grep -o '"name":"[a-z]*","type":"CR_F"' | cut -d '"' -f 4)"
			done
			equal "$mode: the content of --sis-$option" "$found" " two one two"
			matches "$mode: a content that was there before hits" \
				"$(ccache --print-stats)" \
				'(direct|preprocessed)_cache_hit[[:space:]]+[1-9]'
		done
	done
	SISC_CC="ccache gcc" make -C make -B CC="$SISC" ARFLAGS=rcs prog >build.out 2>&1 ||
		give_up "SISC_CC='ccache gcc'" build.out
	works "SISC_CC='ccache gcc'" make/prog
	unset CCACHE_DIR
else
	skip "ccache" "not installed"
fi

# -- CMake ---------------------------------------------------------------------------------------
if command -v cmake >/dev/null; then
	copy cmake
	source_file cmake/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
project(project C)
include(CheckFunctionExists)
include(CheckCSourceCompiles)
include(CheckCSourceRuns)
include(CheckCCompilerFlag)
include(CheckTypeSize)
check_function_exists(nanosleep HAVE_NANOSLEEP)
check_function_exists(no_such_function HAVE_NONSENSE)
check_c_source_compiles("int main(void) { return nothing; }" HAVE_NOTHING)
check_c_source_runs("int main(void) { return 0; }" RUNS)
check_c_compiler_flag(-Wall HAVE_WALL)
check_c_compiler_flag(-fno-such-flag HAVE_NO_SUCH_FLAG)
check_type_size(long SIZE_LONG)
find_package(OpenMP REQUIRED COMPONENTS C)
try_compile(TRIED ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR}/plug.c)
add_library(objects OBJECT lib/deep/deep.c)
set_property(TARGET objects PROPERTY POSITION_INDEPENDENT_CODE ON)
add_library(part SHARED lib/part.c $<TARGET_OBJECTS:objects>)
add_library(plug MODULE plug.c)
add_executable(prog main.c)
target_compile_features(prog PRIVATE c_std_11)
target_link_libraries(prog PRIVATE part ${CMAKE_DL_LIBS} OpenMP::OpenMP_C)
END
	configure() {
		(cd cmake && CC=$1 cmake -S . -B "$2" -DCMAKE_BUILD_TYPE=Release) >cmake.out 2>&1 ||
			give_up "cmake with $1" cmake.out
	}
	facts() {
		grep -E '^(HAVE_|RUNS|SIZE_|TRIED|CMAKE_C_COMPILER_ID|OpenMP_C_FLAGS)' \
			"cmake/$1/CMakeCache.txt" | sort
	}
	configure gcc plain
	SISC_CC=gcc configure "$SISC" measured
	equal "CMake: finds out the same" "$(facts measured)" "$(facts plain)"
	equal "CMake: knows the compiler and its features" \
		"$(grep -E 'COMPILER_(ID|VERSION) |_FEATURES|IMPLICIT' \
			cmake/measured/CMakeFiles/*/CMakeCCompiler.cmake)" \
		"$(grep -E 'COMPILER_(ID|VERSION) |_FEATURES|IMPLICIT' \
			cmake/plain/CMakeFiles/*/CMakeCCompiler.cmake)"
	SISC_CC=gcc cmake --build cmake/measured -j2 >cmake.out 2>&1 ||
		give_up "cmake --build" cmake.out
	works "CMake: object library, shared library, module" cmake/measured/prog \
		cmake/measured/libplug.so
	(cd cmake && cmake -S . -B flags -DCMAKE_C_COMPILER="$SISC" \
		-DCMAKE_C_FLAGS="--sis-cc=gcc --sis-cr=CR_F" &&
		cmake --build flags) >cmake.out 2>&1 ||
		give_up "cmake with options of sisc" cmake.out
	works "CMake: options of sisc among the flags" cmake/flags/prog cmake/flags/libplug.so
	equal "CMake: nothing is left to do" "$(cmake --build cmake/measured | grep -c Building)" 0
	touch cmake/lib/part.h
	equal "CMake: a changed header is noticed" \
		"$(cmake --build cmake/measured | grep -c Building)" \
		3
else
	skip "CMake" "not installed"
fi

# -- autoconf, automake, libtool -----------------------------------------------------------------
if command -v autoreconf >/dev/null &&
	command -v libtoolize >/dev/null && command -v automake >/dev/null; then
	copy auto
	source_file auto/configure.ac <<'END'
AC_INIT([project], [1])
AC_CONFIG_HEADERS([config.h])
AM_INIT_AUTOMAKE([foreign subdir-objects])
AM_PROG_AR
AC_PROG_CC
LT_INIT
AC_C_BIGENDIAN
AC_C_INLINE
AC_OPENMP
AC_CHECK_HEADERS([unistd.h nosuch.h])
AC_CHECK_FUNCS([nanosleep no_such_function])
AC_CHECK_SIZEOF([long])
AC_SEARCH_LIBS([dlopen], [dl])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
	source_file auto/Makefile.am <<'END'
AM_CFLAGS = -Wall -Wextra -Werror
lib_LTLIBRARIES = libpart.la
libpart_la_SOURCES = lib/part.c lib/deep/deep.c lib/part.h
pkglib_LTLIBRARIES = plug.la
plug_la_SOURCES = plug.c
plug_la_LDFLAGS = -module -avoid-version
bin_PROGRAMS = prog
prog_SOURCES = main.c
prog_LDADD = libpart.la
END
	(cd auto && autoreconf -i) >auto.out 2>&1 || give_up "autoreconf" auto.out
	configure() {
		(mkdir "auto/$2" && cd "auto/$2" &&
			../configure CC="$1" --prefix="$T/installed") >auto.out 2>&1 ||
			give_up "configure with $1" auto.out
	}
	configure gcc plain
	SISC_CC=gcc configure "$SISC" measured
	equal "configure: the same config.h" \
		"$(cat auto/measured/config.h)" \
		"$(cat auto/plain/config.h)"
	equal "libtool: knows the compiler alike" \
		"$(grep -Ev "sisc|^(CC|LTCC|compiler|# )|plain|measured" auto/measured/libtool |
			cksum)" \
		"$(grep -Ev "^(CC|LTCC|compiler|# )|plain|measured" auto/plain/libtool | cksum)"
	SISC_CC=gcc make -C auto/measured -j2 install >auto.out 2>&1 ||
		give_up "make of a configured project" auto.out
	works "autotools: shared library and module, installed" installed/bin/prog \
		installed/lib/project/plug.so
	check "distclean leaves nothing of ours" sh \
		-c "make -s -C auto/measured distclean >/dev/null &&
			! find auto/measured -type f | grep ."
else
	skip "autotools" "not installed"
fi
