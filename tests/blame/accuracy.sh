#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# accuracy.sh [COUNT [SEED]]: how well the static blame agrees with the oracle, on programs drawn
# from GCC's torture tests (50, seed 20).
#
# Every program is built with sisc --sis-blame; the oracle has the slices of a run. For all
# variables of main and all globals:
#
#     recall      part of the work in the dynamic slices that the static sets have, too
#     precision   part of the work in the static sets that is in the dynamic slices
#     difference  of the shares of all work, weighted with how often instructions ran
#
# The static analysis must also be right about other inputs, so its precision has no limit. Fails if
# recall is below 0.95 or the median of the differences above 3 points.
set -u
here=$(cd "$(dirname "$0")" && pwd)
TOP=$(cd "$here/../.." && pwd)
B=${B:-build/release}
case $B in /*) ;; *) B=$TOP/$B ;; esac
export B TOP
count=${1:-50} seed=${2:-20}
work=$B/blame-accuracy
mkdir -p "$work" || exit 1
suites=$B/suites sources=$suites/src
suite=$sources/gcc/gcc/testsuite/gcc.c-torture/execute
. "$TOP/tests/suites/lib.sh"
gcc_tests || exit 1
make -s -C "$here/oracle" OUT="$work" B="$B" TOP="$TOP" "$work/oracle" "$work/compare" || exit 1

drawn=$work/drawn-$seed-$count
[ -e "$drawn/complete" ] ||
	{ sh "$here/draw.sh" "$work/oracle" "$suite" "$seed" "$count" "$drawn" &&
		: >"$drawn/complete"; } || exit 1

: >"$work/rows"
failed=0
for slices in "$drawn"/*.slices; do
	stem=${slices%.slices}
	if ! "$B/bin/sisc" --sis-cc="${CC:-gcc}" --sis-blame -std=gnu17 -w -O0 "$stem.c" \
		-o "$work/program" -lm >"$work/build.log" 2>&1; then
		echo "not ok - $(basename "$stem"): does not compile with sisc"
		failed=$((failed + 1))
		continue
	fi
	if ! timeout 60 "$work/compare" "$work/program" "$slices" >"$work/out" 2>"$work/err"; then
		echo "not ok - $(basename "$stem"): $(head -n 1 "$work/err")"
		failed=$((failed + 1))
		continue
	fi
	sed "s|^|$(basename "$stem") |" "$work/out" >>"$work/rows"
done

# rows: PROGRAM NAME BOTH DYNAMIC STATIC SHARE_DYNAMIC SHARE_STATIC, or PROGRAM placed N of M
sort -k1,1 "$work/rows" | awk -v failed="$failed" '
	$2 == "placed" && NF == 5 { placed += $3; elements += $5; programs++; next }
	{
		both += $3; dynamic += $4; static += $5
		if ($4)
			recalls[++n] = $3 / $4
		difference[++m] = $6 > $7 ? $6 - $7 : $7 - $6
		if ($4)
			known[++k] = difference[m]
	}
	function median(list, n, i, j, t) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && list[j] < list[j - 1]; j--) {
				t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
			}
		return n ? (list[int((n + 1) / 2)] + list[int(n / 2) + 1]) / 2 : 0
	}
	END {
		if (!dynamic || !static || !m) { print "not ok - nothing was compared"; exit 1 }
		for (i = 1; i <= n; i++)
			least += recalls[i] >= 0.95
		printf "%d programs, %d variables; %d failed\n", programs, m, failed
		printf "%d of %d elements have a statement\n", placed, elements
		printf "recall %.4f; %d of %d variables have 0.95 or more\n", \
			both / dynamic, least, n
		printf "precision %.4f\n", both / static
		printf "difference of shares: median %.2f points", 100 * median(known, k)
		printf " (with variables that the run does not write: %.2f)\n",
			100 * median(difference, m)
		good = both / dynamic >= 0.95 && median(known, k) <= 0.03 && !failed
		print good ? "ok" : "not ok"
		exit !good
	}'
