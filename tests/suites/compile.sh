# SPDX-License-Identifier: BSD-3-Clause
# compile - GCC's C torture tests that are only compiled.
# shellcheck shell=sh disable=SC2154
. "$TOP/tests/suites/gcc_test.sh"
torture=$sources/gcc/gcc/testsuite/gcc.c-torture/compile

suite_prepare() { gcc_tests; }
suite_list() { ls "$torture" | grep '\.c$'; }
suite_one() {
	file=$torture/$1
	flags="-w -O1 -I$torture $(dg_options "$file")"
	# shellcheck disable=SC2086
	limited 60 plain gcc $flags -c "$file" -o plain.o || verdict plain "does not compile"
	# shellcheck disable=SC2086
	build_with_sisc "$full_sisc" $flags -c "$file" -o measured.o
	finish
}
