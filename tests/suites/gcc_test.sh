# SPDX-License-Identifier: BSD-3-Clause
# gcc_test.sh - programs of GCC's test suites: their flags, and the comparison of one.
# shellcheck shell=sh disable=SC2034,SC2086

# dg_options FILE: what its comments add to the command line, and `dg_environment` to the
# environment
dg_options() { sed -n 's/.*dg-\(additional-\)*options {* *"\([^"]*\)".*/\2/p' "$1" | tr '\n' ' '; }
dg_environment() {
	sed -n 's/.*dg-set-target-env-var *\([A-Z_]*\) *"*\([^" }]*\)"* *}.*/\1=\2/p' "$1" |
		tr '\n' ' '
}

# gcc_test DIR FLAGS FILE...: the first file has main. With $compiler, gcc by default.
gcc_test() {
	directory=$1 flags="$2 -I$1 -iquote $1" compiler=${compiler:-gcc}
	SISC_CC=$compiler
	shift 2
	measured=measured.${1##*.}
	in_main "$1" >"$measured"
	first=$1
	shift
	flags="$flags $(dg_options "$first")"
	export $(dg_environment "$first") OMP_NUM_THREADS=4
	limited 60 plain $compiler -w $flags "$first" "$@" -o plain -lm ||
		verdict plain "does not compile"
	limited "$plain_limit" plain ./plain || verdict plain "does not pass"
	build_with_sisc "$full_sisc" -w $flags "$measured" "$@" -o measured -lm
	same_behaviour "" ./plain ./measured
	good_experiment
	finish
}
