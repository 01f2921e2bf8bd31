# SPDX-License-Identifier: BSD-3-Clause
# gomp++ - libgomp's tests that are C++, with both compilers.
# shellcheck shell=sh disable=SC2034
. "$TOP/tests/suites/gcc_test.sh"
gomp=$sources/gcc/libgomp/testsuite

suite_prepare() { gcc_tests; }
suite_list() { ls "$gomp/libgomp.c++" | sed -n 's/.*\.C$/g++ &\nclang++-19 &/p'; }
suite_one() {
	compiler=${1% *}
	gcc_test "$gomp/libgomp.c++" "-O2 -fopenmp -I$gomp/.." "$gomp/libgomp.c++/${1#* }"
}
