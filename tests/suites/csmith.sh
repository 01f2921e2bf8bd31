# SPDX-License-Identifier: BSD-3-Clause
# csmith - random programs that print a checksum of what they computed.
# shellcheck shell=sh disable=SC2034,SC2154
csmith_flags=

suite_prepare() { "$TOP/.ci/install-packages" long; }
suite_list() { awk 'BEGIN { for (seed = 1; seed <= 500; seed++) print seed }'; }
suite_one() { random_program gcc c "$1"; }

# random_program COMPILER SUFFIX SEED [CSMITH-OPTION...]: in C++, csmith's NULL must be a null
# pointer in every expression
random_program() {
	SISC_CC=$1 plain=plain.$2 measured=measured.$2
	flags="-w -O1 -I/usr/include/csmith $csmith_flags"
	shift 2
	csmith --seed "$@" >"$plain" || verdict plain "csmith fails"
	[ "$plain" = plain.c ] || sed -i 's/\bNULL\b/nullptr/g' "$plain"
	# shellcheck disable=SC2086
	limited 60 plain "$SISC_CC" $flags "$plain" -o plain || verdict plain "does not compile"
	limited 5 plain ./plain || verdict plain "does not end"
	in_main "$plain" >"$measured"
	# shellcheck disable=SC2086
	build_with_sisc "$full_sisc" $flags "$measured" -o measured
	same_behaviour "" ./plain ./measured
	good_experiment
	finish
}
