#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# draw.sh ORACLE DIR SEED COUNT OUT: draws programs from the directory DIR, and keeps the source and
# the slices of the first COUNT that can be judged in the directory OUT.
#
# The order is that of the SHA-256 of "SEED NAME", so everybody who has the suite draws the same.
# The programs must have a variable of main or a global that work flows into, and 200 instructions
# of work or more; many tests of compilers do next to nothing. OUT/drawn has a line for each that
# was looked at: NAME, then `taken` or the reason why not.
set -u
here=$(cd "$(dirname "$0")" && pwd)
oracle=$1 suite=$2 seed=$3 count=$4 out=$5
mkdir -p "$out" && : >"$out/drawn" || exit 1

(cd "$suite" && ls -- *.c) | while read -r name; do
	printf '%s %s\n' "$(printf '%s %s' "$seed" "$name" | sha256sum | cut -c1-16)" "$name"
done | sort | cut -d ' ' -f 2 >"$out/order"

# The suite has old C, which Clang 19 refuses by default.
old_c='-std=gnu17 -Wno-implicit-int -Wno-implicit-function-declaration -Wno-int-conversion
	-Wno-incompatible-function-pointer-types -Wno-return-mismatch'

taken=0
while read -r name; do
	[ "$taken" -lt "$count" ] || break
	stem=$out/${name%.c}
	# shellcheck disable=SC2086 # a list of words
	if sh "$here/slice.sh" "$oracle" "$suite/$name" "$stem.slices" $old_c \
		2>"$out/err" </dev/null; then
		if awk '$1 == "element" { n += $3 } $1 == "variable" && $2 != "heap" { v++ }
			END { exit n < 200 || !v }' "$stem.slices"; then
			cp "$suite/$name" "$stem.c"
			taken=$((taken + 1))
			echo "$name taken" >>"$out/drawn"
			continue
		fi
		echo "$name does too little" >>"$out/drawn"
	else
		reason=$(sed -n 's/^oracle: \(not followed: \)*//p' "$out/err" | head -n 1)
		echo "$name ${reason:-error}" >>"$out/drawn"
	fi
	rm -f "$stem.slices"
done <"$out/order"
rm -f "$out/err" "$out/order"
[ "$taken" = "$count" ]
