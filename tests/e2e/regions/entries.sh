# SPDX-License-Identifier: BSD-3-Clause
# Regions with several entries and exits, regions that overlap, and conditions: each activation
# is counted once.
. "$(dirname "$0")/../lib.sh"

calls() { # calls REGION...: of each
	for region in "$@"; do
		printf '%s ' \
			"$(query "[.[] | select(.region == \"$region\") | .calls] | add // 0" \
				regions "$EXP")"
	done
}
balanced() {
	lacks "$1: enters are leaves" "$(analyze show "$EXP")" 'matched no open|ended only because'
}

cp "$HERE/entries.c" ways.c
plain=$($CC ways.c -w -o plain && ./plain)
for compiler in $CC clang-19; do
	for level in -O0 -O2; do
		what="$compiler $level"
		SISC_CC=$compiler "$SISC" $level -Wall -Wextra -Werror -Wno-unknown-pragmas ways.c \
			-o ways >build.out 2>&1 ||
			give_up "$what: builds" build.out
		equal "$what: says nothing" "$(cat build.out)" ""
		run_alone 1 ./ways
		equal "$what: prints the same" "$(cat run.out)" "$plain"
		equal "$what: entered by begin and by label" \
			"$(calls entered across loop)" \
			"10 2 4 "
		equal "$what: overlapping" "$(calls first second)" "10 10 "
		equal "$what: if(...)" "$(calls odd for@71)" "5 7 "
		balanced "$what"
	done
done
second=$(query '[.[] | select(.region == "second") | .calls > 0] | unique | length' regions "$EXP")
equal "a region that goes on has two nodes, and calls in one" "$second" 2
identity "ways"
