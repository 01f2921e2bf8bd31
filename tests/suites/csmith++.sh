# SPDX-License-Identifier: BSD-3-Clause
# csmith++ - csmith's programs in C++, with both compilers.
# shellcheck shell=sh disable=SC2034
. "$TOP/tests/suites/csmith.sh"
csmith_flags=-Wno-narrowing

suite_list() {
	awk 'BEGIN { for (seed = 1; seed <= 300; seed++)
		print "g++ " seed "\nclang++-19 " seed }'
}
suite_one() { random_program "${1% *}" cc "${1#* }" --lang-cpp; }
