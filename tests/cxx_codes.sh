#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cxx_codes.sh - public codes in C++ and their own tests, built with sisc++ in the compiler's place.
#
#   tests/cxx_codes.sh [--debian] [--sample N] [DIR [CODE...]]
#
# DIR/CODE has the sources of a code, as published; codes that are not there are skipped
# (DIR: $CXX_CODES, or build/VARIANT/cxx-codes). Each program is built three times, and only the
# compiler differs: plain; sisc++ with its default selection; everything instrumented, with
# --sis-verify. All must end with the same status and print the same, and the compiler must give the
# same messages, but for notes of sisc. No file may be left untouched, and at most 5 % of the
# functions that are not constexpr.
#
#   --debian     first fetches those that are source packages of Debian
#   --sample N   every N-th test of the codes that have many
#
# Ratios of user time, of compilers and of programs, are printed, but decide nothing. The last line
# counts the programs as tests/run does.
set -u
cd "$(dirname "$0")/.." || exit 2
TOP=$PWD
B=${B:-build/release}
case $B in /*) ;; *) B=$TOP/$B ;; esac
sample=1 debian=
while :; do
	case ${1:-} in
	--debian) debian=1 ;;
	--sample)
		sample=${2:?cxx_codes: error: --sample needs a number}
		shift
		;;
	-*)
		echo "cxx_codes: error: unknown option '$1'" >&2
		exit 2
		;;
	*) break ;;
	esac
	shift
done
export B
codes=${1:-${CXX_CODES:-$B/cxx-codes}}
case $codes in /*) ;; *) codes=$TOP/$codes ;; esac
for package in ${debian:+eigen:eigen3 fmt:fmtlib json:nlohmann-json3 range-v3:range-v3}; do
	mkdir -p "$codes"
	"$TOP/tests/source-package" "${package#*:}" "$codes/${package%:*}" || exit 1
done
[ $# = 0 ] || shift
[ $# != 0 ] || set -- lulesh hpccg minife hpcg fmt json catch2 eigen kokkos kokkos-tutorials \
	range-v3 taskflow mdspan
CXX=${CXX:-g++}
T=$(mktemp -d "${TMPDIR:-/tmp}/sis-codes.XXXXXX") || exit 1
trap 'rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
types=$("$B/bin/sisc" --sis-list | sed -n 's/^ *\(CR_[A-Z]*\) .*/\1/p' | tr '\n' ',')
unset SIS_PMETRIC SIS_ENABLE SIS_FILTER SISC_CC SISC_VERIFY
export SIS_LOG=quiet LC_ALL=C OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
passed=0 failed=0 problem=

# -- one program, in the three ways ---------------------------------------------------------------

fail() { problem=${problem:-$*}; }

# timed FILE COMMAND...: adds the command's user time to FILE, in seconds
timed() (
	file=$1
	shift
	"$@"
	status=$?
	times >"$T/times" # not in a pipe: that is a process of its own
	awk -F '[ms]' 'NR == 2 { print $1 * 60 + $2 }' "$T/times" >>"$file"
	exit $status
)

# compiler ARGUMENT...: that of $way
compiler() {
	case $way in
	plain) "$CXX" "$@" ;;
	default) "$B/bin/sisc++" "--sis-cc=$CXX" --sis-explain "$@" ;;
	all) "$B/bin/sisc++" "--sis-cc=$CXX" --sis-explain --sis-verify "--sis-cr=${types%,}" "$@" ;;
	esac
}

# compile FLAGS SOURCE...: adds objects to $objects, once in each way
compile() {
	flags=$1
	shift
	for source; do
		object=$T/$way/$(printf %s "${source%.*}" | tr / _).o
		objects="$objects $object"
		# shellcheck disable=SC2086 # words
		[ -e "$object" ] ||
			timed "$T/$way.compile" compiler $flags -c "$source" -o "$object" \
				>>"$T/$way/explained" 2>>"$T/$way/messages" || return 1
	done
}

# build FLAGS LIBRARIES SOURCE...: the program $T/$way/program
build() {
	link_flags=$1 libraries=$2 objects=
	shift 2
	compile "$link_flags" "$@" || return 1
	# shellcheck disable=SC2086 # words
	compiler $link_flags $objects $libraries -o "$T/$way/program" >>"$T/$way/explained" \
		2>>"$T/$way/messages"
}

# in_way FLAGS LIBRARIES ARGUMENTS SOURCE...: builds and runs the program in $way
in_way() {
	mkdir -p "$T/$way"
	: >"$T/$way/messages"
	compiled=$1 linked=$2 arguments=$3
	shift 3
	build "$compiled" "$linked" "$@" || return 1
	rm -rf "$T/run" "$T/experiment"
	mkdir "$T/run"
	# shellcheck disable=SC2086 # words
	(cd "$T/run" && SIS_OUTPUT=$T/experiment timed "$T/$way.run" timeout 300 \
		"$T/$way/program" $arguments >"$T/out" 2>"$T/err" </dev/null
	status=$?
	cat "$T/out" "$T/err" ./*.yaml ./hpcg*.txt ./HPCG*.txt 2>/dev/null | sed "$unsteady"
	echo "status $status") >"$T/$way/result"
}

# program NAME FLAGS LIBRARIES ARGUMENTS SOURCE...: compares all ways. $unsteady is a script of sed
# that removes what differs between two runs.
program() {
	name=$1 problem=
	shift
	for way in plain default all; do
		in_way "$@" && continue
		if [ $way = plain ]; then
			echo "# $code: $name: skipped, $CXX does not build it"
			return
		fi
		fail "$way: does not build: $(grep -m 1 -E 'error|undefined' "$T/$way/messages")"
	done
	for way in default all; do
		cmp -s "$T/plain/result" "$T/$way/result" || fail "$way: prints something else:" \
			"$(diff "$T/plain/result" "$T/$way/result" | sed -n 2,3p | tr '\n' ' ')"
		untouched=$(grep -m 1 ': not instrumented: ' "$T/$way/messages")
		[ -z "$untouched" ] || fail "$way: $untouched"
		cp "$T/$way/messages" "$T/$way.messages"
		grep '^sisc: ' "$T/$way/messages" >>"$T/notes"
		grep -v '^sisc: ' "$T/$way/messages" | cmp -s - "$T/plain/messages" ||
			fail "$way: has other messages"
	done
	if [ -z "$problem" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok $code: $name: $problem"
	fi
}

# -- the codes: called in the directory of their sources ------------------------------------------

sampled() { awk -v every="$sample" '(NR - 1) % every == 0'; }

code_lulesh() {
	unsteady='/time/d; /FOM/d'
	program lulesh '-O3 -w -fopenmp -DUSE_MPI=0' '' '-s 10 -i 20' lulesh*.cc
}

code_hpccg() {
	unsteady='/^Time Summary/,/SPARSEMV/d; /^MFLOPS Summary/,/SPARSEMV/d'
	program hpccg '-O3 -w -fopenmp -DUSING_OMP' '' '16 16 16' ./*.cpp
}

code_minife() {
	cp -r . "$T/minife" && cd "$T/minife/ref/src" || return
	./generate_info_header "$CXX" -O3 miniFE MINIFE >/dev/null
	unsteady='s/\.\.\..*total time.*//; s/\(Time[^:]*\): .*/\1/; s/Mflops: .*//'
	program minife '-O3 -w -I. -I../utils -I../fem -DMINIFE_SCALAR=double
		-DMINIFE_LOCAL_ORDINAL=int -DMINIFE_GLOBAL_ORDINAL=int -DMINIFE_CSR_MATRIX
		-DMINIFE_INFO=1 -DMINIFE_KERNELS=0' '' 'nx=10 ny=10 nz=10' \
		./*.cpp ../utils/BoxPartition.cpp ../utils/param_utils.cpp ../utils/utils.cpp \
		../utils/mytimer.cpp
}

code_hpcg() {
	unsteady='s/\([Tt]ime.*\)=[0-9].*/\1/; /^Benchmark Time Summary/d; /^GB.s Summary/d
		/^GFLOP.s Summary/d; s/\(rating.*\)=.*/\1/; /Optimization phase/d'
	program hpcg '-O2 -w -fopenmp -DHPCG_NO_MPI -Isrc' '' '--nx=16 --ny=16 --nz=16 --rt=0' \
		src/*.cpp
}

code_fmt() {
	unsteady='s/([0-9]* ms[^)]*)//; /FORMATTED/d'
	for test in $(ls test/*-test.cc | grep -v -e module -e cuda -e posix -e detect -e odr |
		sampled); do
		set -- test/test-main.cc test/gtest-extra.cc test/util.cc src/format.cc src/os.cc \
			test/gtest/gmock-gtest-all.cc
		case $test in *ranges-test*) set -- "$@" test/ranges-odr-test.cc ;; esac
		program "$test" '-std=c++20 -O1 -w -Iinclude -Itest -Itest/gtest' '' '' "$test" "$@"
	done
}

code_json() {
	unsteady=/version/d
	for test in $(grep -L make_test_data tests/src/unit-*.cpp | sampled); do
		program "$test" '-std=c++17 -O0 -w -Isingle_include -Itests/thirdparty/doctest
			-Itests/thirdparty/fifo_map' '' '' "$test" tests/src/unit.cpp
	done
}

code_catch2() {
	mkdir -p "$T/catch2/catch2"
	sed 's/#cmakedefine.*//; s/@[A-Z_]*@/80/' src/catch2/catch_user_config.hpp.in \
		>"$T/catch2/catch2/catch_user_config.hpp"
	unsteady=
	program SelfTest "-std=c++17 -O0 -w -Isrc -Itests/SelfTest -I$T/catch2" '' \
		'--order lex --rng-seed 1 -r compact' $(find src/catch2 -name '*.cpp' |
			grep -v internal/catch_main.cpp | sort) src/catch2/internal/catch_main.cpp \
		$(find tests/SelfTest -name '*.cpp' | sort | sampled)
}

code_eigen() {
	unsteady=
	for test in $(printf 'test/%s.cpp\n' adjoint array_cwise array_for_matrix basicstuff block \
		cholesky commainitializer conservative_resize corners determinant \
		diagonal diagonalmatrices dynalloc eigensolver_generic \
		eigensolver_selfadjoint geo_hyperplane geo_quaternion geo_transformations \
		half_float hessenberg householder inverse jacobi jacobisvd linearstructure lu mapstride \
		mixingtypes nomalloc permutationmatrices product_small product_syrk qr \
		schur_complex sparse_basic sparse_vector stable_norm triangular umeyama \
		vectorization_logic visitor | sampled); do
		program "$test" '-std=c++14 -O1 -w -I. -Itest -DEIGEN_TEST_PART_ALL=1
			-DEIGEN_TEST_MAX_SIZE=320' '' 'r2 s1' \
			"$test"
	done
}

# Kokkos' core with the backends Serial and OpenMP, and its unit test of ranges
code_kokkos() {
	unsteady='s/([0-9]* ms[^)]*)//'
	cmake -S . -B "$T/kokkos" "-DCMAKE_CXX_COMPILER=$CXX" -DKokkos_ENABLE_OPENMP=ON \
		-DKokkos_ENABLE_SERIAL=ON >/dev/null || return
	printf '#include <TestOpenMP_Category.hpp>\n#include <TestRange.hpp>\n' \
		>"$T/kokkos/Range.cpp"
	program Range "-std=c++17 -O1 -w -fopenmp -I$T/kokkos -I$T/kokkos/core/src -Icore/src
		-Icore/unit_test -Icore/unit_test/category_files -Itpls/desul/include
		-Itpls/mdspan/include -Itpls/gtest -DKOKKOS_DEPENDENCE" -ldl '' \
		"$T/kokkos/Range.cpp" core/unit_test/UnitTestMainInit.cpp \
		tpls/gtest/gtest/gtest-all.cc core/src/impl/*.cpp core/src/Serial/*.cpp \
		core/src/OpenMP/*.cpp
}

# mini-applications that use Debian's build of Kokkos
code_kokkos_tutorials() {
	unsteady='/[Tt]ime/d; /[Bb]andwidth/d; /GB/d; /MFlop/d'
	for test in $(ls Exercises/*/Solution/*.cpp | sampled); do
		program "$test" '-std=c++17 -O2 -w -isystem /usr/include/trilinos -I.' \
			'-ltrilinos_kokkoscore' '-N 10 -S 14' "$test"
	done
}

code_range_v3() {
	unsteady=
	for test in $(find test -name '*.cpp' ! -path '*module*' | sort | sampled); do
		program "$test" '-std=c++20 -O1 -w -Iinclude -Itest -Idoctest' '' '' "$test"
	done
}

code_taskflow() {
	unsteady='/[0-9] ms/d'
	for test in $(ls unittests/test_*.cpp | sampled); do
		program "$test" '-std=c++20 -O1 -w -I. -I3rd-party/doctest -pthread' '' '' "$test"
	done
}

code_mdspan() {
	unsteady=
	for test in $(ls tests/test_*.cpp examples/*/*.cpp | sampled); do
		program "$test" '-std=c++20 -O1 -w -Iinclude -Itests' '-lgtest -lgtest_main' '' "$test"
	done
}

# -- the report of a code -------------------------------------------------------------------------

sum() { awk '{ s += $1 } END { print s + 0 }' "$1" 2>/dev/null || echo 0; }

# functions: those of the user's files that can have a probe, each once, and how many have none
functions() {
	sort -u "$T/all/explained" | awk '
		/: CR_F / && !/ constexpr function/ && !/ measured as CR_P/ {
			n++
			if (/: not measured: /) { left++; sub(/.*: not measured: /, ""); why[$0]++ }
		}
		END {
			printf "%d of %d functions are left alone", left, n
			for (reason in why) printf "\n#     %d %s", why[reason], reason
			print ""
			exit left * 20 > n
		}'
}

ratio() { echo "$(sum "$T/$1") $(sum "$T/$2")" | awk '{ printf "%.2f", $2 ? $1 / $2 : 0 }'; }

check_code() {
	code=$1
	if [ ! -d "$codes/$code" ]; then
		echo "# $code: skipped, it is not in $codes"
		return
	fi
	rm -rf "${T:?}"/*
	before=$((passed + failed))
	cd "$codes/$code" || exit 1
	"code_$(echo "$code" | tr - _)"
	cd "$TOP" || exit 1
	[ -e "$T/all/explained" ] || return
	of_functions=$(functions) || {
		failed=$((failed + 1))
		echo "not ok $code: too many functions are left alone"
	}
	echo "# $code: $((passed + failed - before)) programs; user time, default and all:" \
		"compiler $(ratio default.compile plain.compile)," \
		"$(ratio all.compile plain.compile); program" \
		"$(ratio default.run plain.run), $(ratio all.run plain.run); $of_functions"
	sort "$T/notes" 2>/dev/null | sed 's/[0-9][0-9]*/N/g' | sort | uniq -c | sort -rn | head |
		sed 's/^/#    /'
}

for code; do
	check_code "$code"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
