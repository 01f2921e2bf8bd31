# SPDX-License-Identifier: BSD-3-Clause
# lib_blame.sh - what tests of variable blame source after lib.sh.
# shellcheck shell=sh disable=SC2154

# built PROGRAM COMPILER ARGUMENT...: with sisc --sis-blame; kernel.h is there
built() {
	program=$1 compiler=$2
	shift 2
	build "$program" --sis-cc="$compiler" --sis-blame -I"$TOP/tests/blame/kernels" "$@"
}

sampled() { # sampled RATE PROGRAM UNIT
	export SIS_BLAME="$1"
	run_alone 1 "$2" "$3"
	unset SIS_BLAME
}

# ranks: the variables of main with more than 5 %, largest first
ranks() {
	query '[.[] | select(.blame_point == "main" and .field_of == null and .kind != "all")]
		| group_by(.variable) | map({ name: .[0].variable, share: map(.share) | add })
		| map(select(.share > 0.05)) | sort_by(-.share) | map(.name) | join(" ")' \
		blame "$EXP"
}

# share VARIABLE [OPTION...]: its part of all samples; it may be a field
share() {
	variable=$1
	shift
	query "[.[] | select(.blame_point == \"main\" and .variable == \"$variable\") | .share] |
		add // 0" blame "$EXP" --fields "$@"
}

# share_is WHAT VARIABLE SHARE [OPTION...]: within six standard deviations of 200 samples, one of
# which may be where the program begins or ends
share_is() {
	what=$1 variable=$2 wanted=$3
	shift 3
	found=$(share "$variable" "$@")
	if awk -v s="$found" -v w="$wanted" 'BEGIN {
		d = s - w; exit !(d * d <= 36 * w * (1 - w + 1 / 200) / 200 + 1e-6) }'; then
		ok "$what: $variable has $found"
	else
		not_ok "$what: $variable has $found, not $wanted"
	fi
}
