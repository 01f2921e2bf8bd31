# SPDX-License-Identifier: BSD-3-Clause
# lib.sh - what suites.sh and one.sh share: places, sources from Debian, the comparison of one
# program.
# shellcheck shell=sh disable=SC2034

suites=$B/suites results=$B/suites/results failures=$B/suites/failed sources=$B/suites/src
tools=$suites/tools measured_trees=$suites/measured
full_sisc=$suites/tools/full/sisc analyze=$suites/tools/bin/sis-analyze
plain_limit=20 sisc_limit=200 # seconds: a probe around every statement has its price
unset SIS_OUTPUT SIS_PMETRIC SIS_ENABLE SIS_FILTER MAKEFLAGS MFLAGS
# some print what malloc gives them
SISC_CC=gcc OMP_WAIT_POLICY=passive LC_ALL=C SIS_LOG=quiet MALLOC_PERTURB_=85
SISC_VERIFY=1 # each text that sisc instruments must be its source and probes
export SISC_VERIFY SISC_CC OMP_WAIT_POLICY LC_ALL SIS_LOG MALLOC_PERTURB_
mkdir -p "$results" "$failures" "$sources"

# copy_tools: copies the tools, so that a new build does not change them during a run, and so that
# programs built with them find them later. full/sisc instruments all that `sisc --sis-list` knows.
# If the copy is of another build, it is replaced, and the programs built with it are removed.
copy_tools() {
	(cd "$B" && find bin lib include -type f -exec cksum {} + | sort -k 3) >"$SCRATCH/checksums"
	exec 9>"$suites/lock"
	if cmp -s "$SCRATCH/checksums" "$tools/checksums" && flock -s -n 9; then
		return
	fi
	flock -x -n 9 || {
		echo "suites: error: another run, with another build, is not done; wait for it" >&2
		return 1
	}
	rm -rf "$tools" "$measured_trees"
	mkdir -p "$tools/full" && cp -a "$B/bin" "$B/lib" "$B/include" "$tools/" || return 1
	types=$("$tools/bin/sisc" --sis-list | sed -n 's/^ *\(CR_[A-Z]*\) .*/\1/p' | tr '\n' ',')
	printf '#!/bin/sh\nexec %s/bin/sisc --sis-cr=%s "$@"\n' "$tools" \
		"${types%,}" >"$tools/full/sisc"
	chmod +x "$tools/full/sisc" && cp "$SCRATCH/checksums" "$tools/" && flock -s 9
}

# source_package NAME DIR [TAR-OPTION...]: what Debian's source package has as upstream's, unpacked
source_package() {
	package=$1 into=$sources/$2
	shift 2
	"$TOP/tests/source-package" "$package" "$into" "$@"
}

# gcc_tests: the tests of GCC 12 and libgomp, from Debian's package of its source
gcc_tests() {
	[ ! -d "$sources/gcc/gcc/testsuite/g++.dg" ] || return 0
	rm -rf "$sources/gcc"
	"$TOP/.ci/install-packages" long && mkdir -p "$sources/gcc.new" &&
		tar xf /usr/src/gcc-12/gcc-12*.tar.xz -C "$sources/gcc.new" --strip-components=1 \
			--wildcards \
			'*/gcc/testsuite/gcc.c-torture/*' '*/gcc/testsuite/g++.dg/*' \
			'*/libgomp/testsuite/*' &&
			mv "$sources/gcc.new" "$sources/gcc"
}

# verdict VERDICT [REASON]: ends the comparison of $program
verdict() {
	judged=$1 reason=${2:-}
	if [ "$judged" = FAILED ]; then
		rm -rf "$failures/$suite/$id"
		cp -r "$T" "$failures/$suite/$id"
		excuse=$(sed -n "s,^$suite $program ,,p" "$TOP/tests/suites/excused")
		[ -z "$excuse" ] || { judged=excused reason=$excuse; }
	fi
	printf '%s\t%s\t%s\n' "$judged" "$program" \
		"$(printf %s "$reason" | tr '\t\n' '  ' | cut -c 1-300)" >>"$results/$suite"
	exit 0
}

# in_main FILE: the source with a named region around what main does, where main is written as usual
# (and has no brace that both arms of an #if open)
in_main() {
	awk '
		/^([a-z]+ +)*main *\(/ && !/;|}/ { state = state ? state : 1 }
		state == 2 && depth == 0 && /^}/ { text = text "#pragma sis end cr\n#line " NR "\n";
		state = 3 }
		{ text = text $0 "\n"; plain = plain $0 "\n" }
		state == 2 { depth += gsub(/{/, "") - gsub(/}/, "") }
		state == 1 && /{[ \t]*$/ {
			text = text "#pragma sis cr whole begin\n#line " NR + 1 "\n"
			state = 2
		}
		END { printf "%s", state == 2 ? plain : text }' "$1"
}

# limited SECONDS FILE COMMAND...: its output in FILE.out and FILE.err, its status
limited() {
	seconds=$1 output=$2
	shift 2
	timeout -k 5 "$seconds" "$@" >"$output.out" 2>"$output.err" </dev/null
}

# note_untouched: $untouched is why a source has no probes, $parts why functions of it have none; a
# refusal is a verdict
note_untouched() {
	untouched=$(sed -n 's/^sisc: note: [^ ]*: not instrumented: //p' build.err | head -n 1)
	parts=$(sed -n "s/^sisc: note: [^ ]*: function .* is not instrumented: //p" build.err |
		head -n 1)
	case $untouched in *refuses* | *crashed*) verdict FAILED "$untouched" ;; esac
}

# build_with_sisc COMMAND...: verdict if it fails
build_with_sisc() {
	limited 600 build "$@"
	status=$?
	[ $status = 0 ] || verdict FAILED \
		"sisc ends with status $status: $(grep -m 1 -E 'error|sisc:' build.err)"
	note_untouched
	[ -n "$untouched" ] || ! [ -e measured ] ||
		{ grep -q sis_unit_register measured && ! grep -q 'compiled none of' build.err; } ||
		untouched=${parts:-nothing in the source itself may have a probe}
}

# varies STREAM COMMAND PLAIN: the plain program does not always print to STREAM what it printed
# first. Threads that race may take a few runs to show it.
varies() {
	for run in 1 2 3 4 5 6 7 8; do
		# shellcheck disable=SC2086 # words
		limited "$plain_limit" again $2 $3
		cmp -s "plain.$1" "again.$1" || return 0
	done
	return 1
}

# same_behaviour COMMAND PLAIN MEASURED: runs MEASURED with COMMAND before it, such as mpiexec.
# COMMAND may be empty. All three are lists of words. The verdict is FAILED if MEASURED does not end
# with status 0, or if it prints something else than PLAIN, although PLAIN always prints the same.
same_behaviour() {
	# shellcheck disable=SC2086
	SIS_OUTPUT=$T/experiment limited "$sisc_limit" measured $1 $3
	status=$?
	[ $status = 0 ] || verdict FAILED "ends with status $status: $(head -n 1 measured.err)"
	for stream in out err; do
		cmp -s plain.$stream measured.$stream ||
			varies $stream "$1" "$2" || verdict FAILED \
				"prints something else to std$stream"
	done
}

# good_experiment: verdict unless the run left one that imports without complaints
good_experiment() {
	[ -z "$untouched" ] || [ -d experiment ] || return
	[ -d experiment ] || verdict FAILED "no experiment"
	limited 120 import "$analyze" import --db "$T/sis.db" experiment ||
		verdict FAILED "import: $(head -n 1 import.err)"
	limited 20 warnings "$analyze" sql --db "$T/sis.db" "SELECT text FROM warning" --csv ||
		verdict FAILED "$(cat warnings.err)"
	complaint=$(grep -E -m 1 "bookkeeping|matched no open|not measured|cannot" warnings.out)
	[ -z "$complaint" ] || verdict FAILED "experiment: $complaint"
}

finish() {
	[ -z "$untouched" ] || verdict untouched "$untouched"
	[ -z "$parts" ] || verdict partly "$parts"
	verdict ok
}
