#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# placed.sh - how many samples of programs are placed at a statement, at the entry or exit of a
# function, or at the use of a macro? The others are not certain, or not placed at all.
#
#   tests/blame/placed.sh [PROGRAM...]       cg mg fem lua sqlite, when none is named
#
# Each is built with gcc and clang, -O0 and -O2. Prints a line for each build. Fails if a share is
# too small: 95 percent with gcc, 94 with clang -O0; with clang -O2, 95 for cg and mg, 84 for sqlite.
set -u
cd "$(dirname "$0")/../.." || exit 2
TOP=$PWD
B=${B:-build/release}
case $B in /*) ;; *) B=$TOP/$B ;; esac
export B
work=$B/blame
mkdir -p "$work" || exit 1
. tests/blame/lib_programs.sh
failed=0

# run_program PROGRAM FILE: for a second or more
run_program() {
	case $1 in
	cg) mpiexec -n 1 "$2" 60000 100 ;;
	mg) OMP_NUM_THREADS=1 "$2" 6 100 ;;
	fem) "$2" 400 ;;
	lua) "$2" "$TOP/tests/bench/programs.lua" ;;
	sqlite) "$2" --size 20 :memory: ;;
	esac
}

# least PROGRAM BUILD: percent; nothing is asked for if it is 0
least() {
	case $2 in
	gcc*) echo 95 ;;
	clang-O0) echo 94 ;;
	*) case $1 in cg | mg) echo 95 ;; sqlite) echo 84 ;; *) echo 0 ;; esac ;;
	esac
}

# judge PROGRAM BUILD COMPILER FLAGS...: a line of the report
judge() {
	program=$1 name=$2
	shift 2
	rm -rf "$work/placed" "$work/placed.db"
	{
		build_program "$program" "$work/$program.prog" "$@" &&
			SIS_BLAME=1000hz SIS_OUTPUT=$work/placed \
				run_program "$program" "$work/$program.prog" &&
			"$B/bin/sis-analyze" import --db "$work/placed.db" "$work/placed"
	} >"$work/$program.log" 2>&1 </dev/null &&
		"$B/bin/sis-analyze" sql --db "$work/placed.db" --csv "SELECT key, samples
			FROM sample_share WHERE NOT is_reason ORDER BY place" >"$work/shares" || {
		echo "$program $name: has no samples, see $work/$program.log"
		failed=$((failed + 1))
		return
	}
	awk -F , -v head="$program $name" -v least="$(least "$program" "$name")" '
		NR > 1 { key[NR] = $1; n[$1] = $2; all += $2 }
		END {
			good = n["statement"] + n["entry_exit"] + n["macro"]
			percent = all ? 100 * good / all : 0
			printf "%-16s %5.1f %% of %d samples:", head, percent, all
			for (i = 2; i <= NR; i++) if (n[key[i]])
				printf " %s %.1f", key[i], 100 * n[key[i]] / all
			print (percent >= least ? "" : " (less than " least ")")
			exit percent < least
		}' "$work/shares" || failed=$((failed + 1))
}

[ $# -gt 0 ] || set -- cg mg fem lua sqlite
for program; do
	sources "$program" || { echo "$program: no sources" >&2; failed=$((failed + 1)); continue; }
	judge "$program" gcc-O0 gcc -O0
	judge "$program" gcc-O2 gcc -O2
	judge "$program" clang-O0 clang-19 -O0
	judge "$program" clang-O2 clang-19 -O2
done
[ "$failed" = 0 ]
