#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# known.sh ORACLE: the oracle's slices of known.c are those in its comment.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp "${TMPDIR:-/tmp}/sis-known.XXXXXX") || exit 1
trap 'rm -f "$out"' EXIT
sh "$here/../slice.sh" "$1" "$here/known.c" "$out" || exit 1
sed -n 's|^ \* slice: \([^*]*\).*|\1|p' "$here/known.c" | while read -r name lines; do
	found=$(awk -v name="$name" '
		$1 == "element" { split($4, place, ":"); line[$2] = place[2] }
		$1 == "variable" && $3 == name { for (i = 4; i <= NF; i++) print line[$i] }
		' "$out" | sort -nu | tr '\n' ' ')
	if [ "${found% }" = "$lines" ]; then
		echo "ok - slice of $name"
	else
		echo "not ok - slice of $name: lines ${found% }, not $lines"
	fi
done
