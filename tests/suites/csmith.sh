# SPDX-License-Identifier: BSD-3-Clause
# csmith - random programs that print a checksum of what they computed.
# shellcheck shell=sh disable=SC2154
suite_prepare() { "$TOP/.ci/install-packages" long; }
suite_list() { awk 'BEGIN { for (seed = 1; seed <= 500; seed++) print seed }'; }
suite_one() {
	csmith --seed "$1" >plain.c || verdict plain "csmith fails"
	limited 60 plain gcc -w -O1 -I/usr/include/csmith plain.c -o plain ||
		verdict plain "does not compile"
	limited 5 plain ./plain || verdict plain "does not end"
	in_main plain.c >measured.c
	build_with_sisc "$full_sisc" -w -O1 -I/usr/include/csmith measured.c -o measured
	same_behaviour "" ./plain ./measured
	good_experiment
	finish
}
