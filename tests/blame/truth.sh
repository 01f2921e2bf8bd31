#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# truth.sh - are sampled places the right statements? Measured on calls, of programs that we did not
# write: the calls of the disassembly say what is called, the analyzer says where.
#
#   tests/blame/truth.sh [PROGRAM...]         cg mg lua sqlite, when none is named
#
# Each is built with gcc and clang, -O0 and -O2, and gcc -flto. Prints a line for each build: the
# share of calls whose place is right, and how the calls were placed. Fails if less than LEAST
# percent (95) are right with gcc -O2.
set -u
cd "$(dirname "$0")/../.." || exit 2
TOP=$PWD
B=${B:-build/release}
case $B in /*) ;; *) B=$TOP/$B ;; esac
export B
least=${LEAST:-95}
work=$B/blame
mkdir -p "$work" || exit 1
. tests/blame/lib_programs.sh
failed=0

"${CC:-gcc}" -O2 -D_GNU_SOURCE -Ischema -Ianalysis -o "$work/truth" tests/blame/truth.c \
	"$B/obj/libsis-analysis.a" "$B"/obj/libsis-schema.a -ldw -lelf -lsqlite3 -ljson-c -lxml2 \
	-lpq -lzstd -lz -lm || exit 1

# calls PROGRAM: return address and callee of each direct call
calls() {
	objdump -d --no-show-raw-insn "$1" | awk '
		callee != "" { sub(":", "", $1); print $1, callee; callee = "" }
		$2 ~ /^call/ && $NF ~ /^<.*>$/ {
			callee = substr($NF, 2, length($NF) - 2)
			sub(/@plt$/, "", callee)
			sub(/\.(constprop|isra|part|cold|lto_priv).*/, "", callee)
			if (callee ~ /\+0x/) callee = ""
		}'
}

# judge PROGRAM NAME COMPILER FLAGS...: a line of the report
judge() {
	program=$1 name=$2
	shift 2
	if ! build_program "$program" "$work/$program.prog" "$@" 2>"$work/$program.err"; then
		echo "$program $name: cannot be built, see $work/$program.err"
		failed=$((failed + 1))
		return
	fi
	calls "$work/$program.prog" | "$work/truth" "$work/$program.prog" >"$work/out" || exit 1
	right=$(awk '$1 == "right" { sub(/%/, "", $3); print $3 + 0 }' "$work/out")
	awk -v head="$program $name" '
		$1 == "right" { right = $3 } $1 == "judged" { judged = $2 }
		$3 ~ /%/ && $1 != "right" { how = how " " $1 " " $3 }
		END { printf "%-24s right %s of %d;%s\n", head, right, judged, how }' "$work/out"
	case $name in
	gcc-O2) [ "$(echo "$right $least" | awk '{ print ($1 >= $2) }')" = 1 ] ||
		failed=$((failed + 1)) ;;
	esac
}

[ $# -gt 0 ] || set -- cg mg lua sqlite
for program; do
	sources "$program" || { echo "$program: no sources" >&2; failed=$((failed + 1)); continue; }
	judge "$program" gcc-O0 gcc -O0
	judge "$program" gcc-O2 gcc -O2
	judge "$program" gcc-O2-flto gcc -O2 -flto
	judge "$program" clang-O0 clang-19 -O0
	judge "$program" clang-O2 clang-19 -O2
done
[ "$failed" = 0 ]
