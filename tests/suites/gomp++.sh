# SPDX-License-Identifier: BSD-3-Clause
# gomp++ - libgomp's tests that are C++.
# shellcheck shell=sh disable=SC2034
. "$TOP/tests/suites/gcc_test.sh"
gomp=$sources/gcc/libgomp/testsuite
compiler=g++

suite_prepare() { gcc_tests; }
suite_list() { ls "$gomp/libgomp.c++" | grep '\.C$'; }
suite_one() { gcc_test "$gomp/libgomp.c++" "-O2 -fopenmp -I$gomp/.." "$gomp/libgomp.c++/$1"; }
