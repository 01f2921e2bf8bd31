#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suites.sh - other people's programs under sisc, with everything instrumented that can be.
#
#   tests/suites.sh [--sample N] [--again | --failed] [-j N] [SUITE...]
#                all suites when none is named
#
# A program counts when it compiles and passes with the plain compiler. Then it must compile and
# pass with sisc, print the same, and leave an experiment that sis-analyze imports without a
# complaint.
#
#   --sample N   every N-th program of a suite
#   --again      forget earlier results; without it a run goes on where the last one of the same
#                build ended
#   --failed     forget only those of programs that failed, whatever was built since
#   -j N         programs at a time, 1
#
# suites/NAME.sh says what a suite is: suite_prepare, suite_list, suite_one. Sources come from
# Debian (packages, source packages) into $B/suites; so do results: results/SUITE has one line a
# program, VERDICT<TAB>PROGRAM<TAB>REASON, and failed/SUITE/PROGRAM what was left of those that
# fail. The last line counts the programs as tests/run does.
set -u
cd "$(dirname "$0")/.." || exit 2
TOP=$PWD
B=${B:-build/release}
case $B in /*) ;; *) B=$TOP/$B ;; esac
sample=1 forget='' jobs=1
usage() {
	echo "suites: error: $1; usage: tests/suites.sh" \
		"[--sample N] [--again | --failed] [-j N] [SUITE...]" >&2
	exit 2
}
number() {
	case $2 in '' | *[!0-9]* | 0) usage "$1 needs a number, not '$2'" ;; *) echo "$2" ;; esac
}
while [ $# -gt 0 ]; do
	case $1 in
	--sample) sample=$(number "$1" "${2:-}") || exit 2; shift ;;
	-j) jobs=$(number "$1" "${2:-}") || exit 2; shift ;;
	-j*) jobs=$(number -j "${1#-j}") || exit 2 ;;
	--again) forget=all ;;
	--failed) forget=FAILED ;;
	-*) usage "unknown option '$1'" ;;
	*) break ;;
	esac
	shift
done
if [ $# = 0 ]; then
	set -- torture torture++ compile gomp gomp++ gomp-common mpi csmith csmith++ projects
fi
for suite in "$@"; do
	[ -e "tests/suites/$suite.sh" ] || usage "no suite '$suite'"
done
export TOP B
SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/sis-suites.XXXXXX") || exit 1
export SCRATCH
trap 'rm -rf "$SCRATCH"' EXIT
trap 'exit 1' HUP INT TERM
. tests/suites/lib.sh
copy_tools || exit 1

# forget_results SUITE: those that --again or --failed names, or that another build left
forget_results() {
	mkdir -p "$failures/$1"
	touch "$results/$1"
	forgotten=$forget
	[ -n "$forget" ] || cmp -s "$suites/tools/checksums" "$results/$1.build" || forgotten=all
	cp "$suites/tools/checksums" "$results/$1.build"
	case $forgotten in
	all) : >"$results/$1" ;;
	FAILED) sed -i '/^FAILED/d' "$results/$1" ;;
	*) return ;;
	esac
	rm -rf "${failures:?}/$1"/*
}

# still_to_do FILE: of the programs listed on standard input, every SAMPLE-th without a result
still_to_do() {
	awk -v every="$sample" -F '\t' \
		'FILENAME != "-" { done[$2]; next } (FNR - 1) % every == 0 && !($1 in done)' "$1" -
}

# report SUITE SECONDS: its counts, why programs were left untouched, and those that failed
report() {
	awk -F '\t' -v suite="$1" -v seconds="$2" '
		{ n[$1]++ }
		$1 == "untouched" || $1 == "partly" { reason = $3; gsub(/[0-9]+/, "N", reason);
		sub(/^[^ ]*: /, "", reason); why[sprintf("%-9s", $1), reason]++ }
		$1 == "FAILED" { failed[$2] = $3 }
		$1 == "ok" && $3 { but[$2] = $3 }
		$1 == "excused" { excused[$2] = $3 }
		END {
			passed = n["ok"] + n["partly"] + n["untouched"]
			plain = passed + n["FAILED"] + n["excused"]
			printf "%-12s programs %5d  plain ok %5d  ", suite, plain + n["plain"], plain
			printf "sisc ok %5d (%d in part, %d untouched)  FAILED %4d  (%d s)\n",
				passed, n["partly"], n["untouched"], n["FAILED"], seconds
			for (key in why) {
				split(key, of, SUBSEP)
				line = sprintf("    %s %4d  %s", of[1], why[key], of[2])
				print line | "sort -k1,1 -k2,2nr"
			}
			close("sort -k1,1 -k2,2nr")
			for (program in but)
				printf "    ok %s, but %s\n", program, but[program] | "sort"
			close("sort")
			for (program in excused)
				printf "    excused %s: %s\n", program, excused[program] | "sort"
			close("sort")
			for (program in failed)
				printf "    FAILED %s: %s\n", program, failed[program] | "sort"
		}' "$results/$1"
}

run_suite() {
	. "tests/suites/$1.sh"
	began=$(date +%s)
	forget_results "$1"
	suite_prepare || {
		echo "suites: error: cannot prepare $1" >&2
		failed=$((failed + 1))
		return
	}
	suite_list | still_to_do "$results/$1" |
		xargs -r -d "\n" -n 1 -P "$jobs" sh "$TOP/tests/suites/one.sh" "$1"
	report "$1" $(($(date +%s) - began))
	passed=$((passed + $(grep -Ec '^(ok|partly|untouched)' "$results/$1")))
	failed=$((failed + $(grep -c '^FAILED' "$results/$1")))
}

passed=0 failed=0
for suite in "$@"; do
	run_suite "$suite"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
