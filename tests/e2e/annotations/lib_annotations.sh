# SPDX-License-Identifier: BSD-3-Clause
# lib_annotations.sh - what the tests of annotations share.
# shellcheck shell=sh disable=SC2034
module=$build_dir/lib/sis/libsis-annotations.so

# calls REGION [CALLER]: activations of the region in $EXP, in all threads; with a caller, those
# whose path ends with it and the region
calls() {
	query "[.[] | select(.region == \"$1\" and (.path | endswith(\"${2:+$2/}$1\"))) | .calls] |
		add // 0" regions "$EXP"
}

# value NAME: the sum of the numbers that the runtime noted by this name
value() { query "[.[] | .values.$1 // empty | .sum] | add // 0" regions "$EXP"; }

# all_calls: lines PATH CALLS of the regions of annotations of $EXP, summed over threads, in order.
# A path begins below main.
all_calls() {
	query 'map(select(.type == "CR_A") | .path |= sub("^main/"; "")) | group_by(.path)[] |
		"\(.[0].path) \(map(.calls) | add)"' regions "$EXP" | sort
}
