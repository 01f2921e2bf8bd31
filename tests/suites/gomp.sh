# SPDX-License-Identifier: BSD-3-Clause
# gomp - libgomp's tests that are C.
# shellcheck shell=sh
. "$TOP/tests/suites/gcc_test.sh"
gomp=$sources/gcc/libgomp/testsuite
gomp_folder=libgomp.c

suite_prepare() { gcc_tests; }
suite_list() { ls "$gomp/$gomp_folder" | grep '\.c$'; }
suite_one() { gcc_test "$gomp/$gomp_folder" "-O2 -fopenmp -I$gomp/.." "$gomp/$gomp_folder/$1"; }
