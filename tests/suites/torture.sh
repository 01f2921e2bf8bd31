# SPDX-License-Identifier: BSD-3-Clause
# torture - GCC's C torture tests that run, those of its builtins among them.
# shellcheck shell=sh
. "$TOP/tests/suites/gcc_test.sh"
torture=$sources/gcc/gcc/testsuite/gcc.c-torture/execute

suite_prepare() { gcc_tests; }
suite_list() { (cd "$torture" && ls *.c ieee/*.c builtins/*.c | grep -v -- -lib.c); }
suite_one() {
	file=$torture/$1
	case $1 in
	builtins/*) gcc_test "$torture/builtins" -O1 "$file" "${file%.c}-lib.c" \
		"$torture/builtins/lib/main.c" ;;
	*) gcc_test "$(dirname "$file")" -O1 "$file" ;;
	esac
}
