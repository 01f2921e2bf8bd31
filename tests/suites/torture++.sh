# SPDX-License-Identifier: BSD-3-Clause
# torture++ - GCC's C++ tests that run, in the standard that each asks for.
# shellcheck shell=sh disable=SC2034
. "$TOP/tests/suites/gcc_test.sh"
torture=$sources/gcc/gcc/testsuite/g++.dg
compiler=g++

suite_prepare() { gcc_tests; }
suite_list() {
	(cd "$torture" && grep -rlE --include='*.C' 'dg-do *"?run' abi cpp0x cpp1y cpp1z cpp2a \
		cpp23 eh expr ext inherit init lookup opt other overload template torture tree-ssa)
}
suite_one() {
	file=$torture/$1
	case $(sed -n 's/.*dg-do run *{ *target *c++\([0-9a-z]*\).*/\1/p' "$file" | head -n 1) in
	20* | 2a) year=20 ;;
	23*) year=23 ;;
	*) year=17 ;;
	esac
	gcc_test "$(dirname "$file")" "-O1 -std=gnu++$year" "$file"
}
