# SPDX-License-Identifier: BSD-3-Clause
# lib.sh - what every end-to-end test sources: the tools, a scratch directory, checks that speak
# TAP.
#
#     . "$(dirname "$0")/../lib.sh"
#     source_file hello.c <<'END' ... END      a file in the scratch directory, the current one
#     build hello hello.c -O2                  sisc ... -o hello; not building ends the test
#     run 2 1 ./hello                          mpiexec -n 2, OMP_NUM_THREADS=1; output in run.out,
#                                              run.err
#     equal "prints" "$(cat run.out)" "hello"
#     near "useful of rank 1" "$seconds" 0.3
#
# $SISC $ANALYZE $MPIEXEC $CC $MPICC $MPICXX are the tools, $TOP the repository, $E2E its tests/e2e,
# $HERE the folder of the test, $T the scratch directory, $EXP the directory of the last run's
# experiment. Nothing outside $T is written.
# shellcheck shell=sh disable=SC2034

set -u
umask 022 # not the caller's
HERE=$(cd "$(dirname "$0")" && pwd)
E2E=$(cd "${e2e_folder:-$HERE/..}" && pwd)
TOP=$(cd "$E2E/../.." && pwd)
build_dir=$(cd "$TOP" && cd "${B:-build/release}" && pwd) || exit 1
SISC=${SISC:-$build_dir/bin/sisc}
ANALYZE=${ANALYZE:-$build_dir/bin/sis-analyze}
MPIEXEC=${MPIEXEC:-mpiexec} MPICC=${MPICC:-mpicc} MPICXX=${MPICXX:-mpicxx} CC=${CC:-gcc}
# MPI=openmpi in the environment: another library than that of mpicc, beside it (Debian's names).
[ -z "${MPI:-}" ] || MPIEXEC=mpiexec.$MPI MPICC=mpicc.$MPI MPICXX=mpicxx.$MPI
# Open MPI: any user, more processes than processors, one-sided communication also as root
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_osc=pt2pt
# gcc -flto=auto, libtool, LD_PRELOAD and the PostgreSQL server accept no blanks in a path.
case ${TMPDIR:-} in
'' | *[[:space:]]*) TMPDIR=/tmp ;;
esac
T=$(mktemp -d "$TMPDIR/sis-e2e.XXXXXX") || exit 1
trap 'cd /; rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
cd "$T" || exit 1
unset SIS_OUTPUT SIS_TMPDIR SIS_PMETRIC SIS_ENABLE SIS_LOG SIS_UNIFY SISC_CC MAKEFLAGS MFLAGS
OMP_WAIT_POLICY=passive # one that waits leaves its processor to the other threads
SIS_OVERHEAD=off # exact times and paths; tests of the budget set their own
SIS_ASLEEP=0 # the work of test programs is time asleep; tests of sleep set their own
LC_ALL=C # messages in English, sorting by bytes, a decimal point in awk
export OMP_WAIT_POLICY LC_ALL TMPDIR SIS_OVERHEAD SIS_ASLEEP
case $HERE in
*/compile | */regions | */known) # the text that sisc instruments must be its source and probes
	SISC_VERIFY=1
	export SISC_VERIFY
	;;
esac
number=0
# PRELOAD=1 in the environment: programs are compiled without sisc, and measured as by
# `sis-analyze run`.
by_preload=
if [ -n "${PRELOAD:-}" ]; then
	SISC=$E2E/without_sisc.sh
	by_preload="env SIS_BLAME=1"
	by_preload="$by_preload LD_PRELOAD=$build_dir/lib/libsis-mpi.so:$build_dir/lib/libsis.so"
fi

# as_nobody COMMAND...: as a user without rights; only root can become one
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }

# share_with_all: lets all users run what the test builds. Tests that give up root's rights call
# it first. The clone or TMPDIR may lie below a directory that only its owner can enter, such as
# root's home. So the empty scratch directory moves to where every user can enter, and sisc and the
# runtime are copied into it.
share_with_all() {
	[ "$(id -u)" = 0 ] || return 0 # other users cannot give up anything
	cd / && rmdir "$T"
	for parent in "$TMPDIR" /tmp /var/tmp /dev/shm; do
		T=$(mktemp -d "$parent/sis-e2e.XXXXXX") &&
			chmod 755 "$T" && as_nobody test -x "$T" && break
		[ -z "$T" ] || rmdir "$T"
		T=
	done
	[ -n "$T" ] || give_up "no directory that every user can enter: set TMPDIR to one"
	cd "$T" || exit 1
	[ "$SISC" = "$build_dir/bin/sisc" ] || return 0 # the caller's choice
	mkdir sis && for part in bin lib include share; do
		cp -r "$build_dir/$part" sis &&
			chmod -R a+rX "sis/$part" || give_up "sisc is copied"
	done
	SISC=$T/sis/bin/sisc
}

ok() { number=$((number + 1)); echo "ok $number - $*"; }
not_ok() { number=$((number + 1)); echo "not ok $number - $*"; }
skip() { number=$((number + 1)); echo "ok $number - $1 # SKIP $2"; } # skip WHAT WHY
# left_out WHAT: it needs a package of check-long. PACKAGES=all says what is missing
left_out() { [ "${PACKAGES:-}" != all ] || skip "$1" "it is not installed"; }

# give_up WHAT [FILE]: ends the test, showing the file.
give_up() {
	not_ok "$1"
	[ $# -lt 2 ] || sed 's/^/    /' "$2"
	exit 1
}

# check WHAT COMMAND...: the command succeeds.
check() {
	what=$1
	shift
	if "$@" >check.out 2>&1; then ok "$what"; else
		not_ok "$what: $* fails"
		sed 's/^/    /' check.out
	fi
}

# refuse WHAT COMMAND...: the command fails.
refuse() {
	what=$1
	shift
	if "$@" >check.out 2>&1; then not_ok "$what: $* succeeds"; else ok "$what"; fi
}

equal() { # equal WHAT GOT WANTED
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1: '$2', not '$3'"; fi
}

matches() { # matches WHAT TEXT PATTERN: an extended regular expression on one of its lines
	if printf '%s\n' "$2" | grep -Eq -- "$3"; then
		ok "$1"
	else
		not_ok "$1: no '$3' in '$2'"
	fi
}

lacks() { # lacks WHAT TEXT PATTERN
	if printf '%s\n' "$2" | grep -Eq -- "$3"; then not_ok "$1: '$3' in '$2'"; else ok "$1"; fi
}

lacks_path() { # lacks_path WHAT TEXT PATH: nothing in the text is that directory or below it
	case $2 in *"$3"*) not_ok "$1: '$3' in '$2'" ;; *) ok "$1" ;; esac
}

# is_near SECONDS TRUTH: within 5 % and 30 ms
is_near() {
	awk -v v="$1" -v t="$2" 'BEGIN { d = v - t; if (d < 0) d = -d;
		exit !(v != "" && d <= 0.05 * t + 0.03) }'
}

near() { # near WHAT SECONDS TRUTH
	if is_near "$2" "$3"; then
		ok "$1"
	else
		not_ok "$1: ${2:-no value}, not near $3"
	fi
}

# one_error WHAT STATUS PATTERN COMMAND...: fails so, with one line on stderr that says so.
one_error() {
	what=$1 wanted=$2 pattern=$3
	shift 3
	"$@" >error.out 2>error.err
	status=$?
	lines=$(wc -l <error.err)
	if [ "$status" = "$wanted" ] && [ "$lines" = 1 ] && grep -Eq -- "$pattern" error.err; then
		ok "$what"
	else
		said="status $status (not $wanted), $lines lines"
		not_ok "$what: $said, no '$pattern' in: $(head -n 3 error.err)"
	fi
}

source_file() { cat >"$1"; }

# uses_mpi ARGUMENT...: whether a file that is named calls MPI
uses_mpi() {
	for word; do
		[ ! -f "$word" ] || ! grep -q 'MPI_' "$word" || return 0
	done
	return 1
}

# build PROGRAM ARGUMENT...: with sisc, silently; what it says is in build.err. A program without
# MPI is built without mpicc, which would take longer than sisc does.
build() {
	program=$1
	shift
	build_cc=${SISC_CC:-$(if uses_mpi "$@"; then echo "$MPICC"; else echo "$CC"; fi)}
	SISC_CC=$build_cc "$SISC" -o "$program" "$@" >build.out 2>build.err ||
		give_up "sisc $* builds $program" build.err
}

# run RANKS THREADS COMMAND...: keeps the status in $run_status, the experiment's directory in $EXP
runs=0
run() {
	ranks=$1 threads=$2
	shift 2
	runs=$((runs + 1)) EXP=$T/exp$runs
	# shellcheck disable=SC2086
	SIS_OUTPUT=$EXP OMP_NUM_THREADS=$threads timeout 120 \
		${by_preload:+$by_preload SIS_RUN=$runs} "$MPIEXEC" -n "$ranks" \
		"$@" >run.out 2>run.err </dev/null
	run_status=$?
}

# run_alone THREADS COMMAND...: the same without mpiexec
run_alone() {
	threads=$1
	shift
	runs=$((runs + 1)) EXP=$T/exp$runs
	SIS_OUTPUT=$EXP OMP_NUM_THREADS=$threads timeout 120 "$@" >run.out 2>run.err </dev/null
	run_status=$?
}

# run_behind NAME COMMAND...: starts a program in the background. The experiment's directory is in
# $EXP, its process $behind.
run_behind() {
	EXP=$T/$1
	shift
	SIS_OUTPUT=$EXP "$@" >behind.out 2>behind.err </dev/null &
	behind=$!
}

# await WHAT COMMAND...: the command succeeds within twenty seconds
await() {
	what=$1
	shift
	for try in $(seq 400); do
		"$@" >/dev/null 2>&1 && break
		sleep 0.05
	done
	check "$what" "$@"
}

# analyze COMMAND [ARGUMENT...]: sis-analyze on a database of this test's own
analyze() {
	command=$1
	shift
	"$ANALYZE" "$command" --db "$T/sis.db" "$@"
}

# jq [ARGUMENT...]: gojq, which starts in 4 ms. Debian's jq takes 32 ms, and tests start it
# thousands of times. gojq sorts the members of objects.
jq() { gojq "$@"; }

# trace_json [OPTION...]: begins, ends and instants (I) of the trace of $EXP, in trace.json. One in
# a line, with microseconds, as in the Trace Event Format.
trace_json() {
	[ -x perfetto_read ] || "$CC" -O1 "$E2E/run/perfetto_read.c" -o perfetto_read 2>build.err ||
		give_up "the reader of traces is built" build.err
	analyze export "$EXP" --format perfetto "$@" -o trace.gz 2>export.err ||
		give_up "the trace is exported" export.err
	gzip -dc trace.gz | ./perfetto_read >events
	grep '^wrong' events && not_ok "the exported trace is right"
	awk -F '\t' '
		BEGIN { print "{\"traceEvents\":[" }
		$1 ~ /^[BEI]$/ {
			printf "%s{\"ph\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%d.%03d,", comma, $1,
				int(($2 - 1) / 4096) + 1, $2, int($3 / 1000), $3 % 1000
			printf "\"name\":\"%s\"}", $4
			comma = ",\n"
		}
		END { print "\n]}" }' events >trace.json
}

# query FILTER COMMAND [ARGUMENT...]: what jq makes of the command's JSON
query() {
	filter=$1
	shift
	analyze "$@" --json | jq -r "$filter"
}

# by_pu: PROCESS THREAD OVERHEAD SECONDS of $EXP, tab-separated: nodes of the tree, and USEFUL
by_pu() {
	id=$(query '.[0].id' import "$EXP") &&
		query '.[] | [.process, .thread, .overhead, .seconds] | @tsv' overhead "$EXP" \
			--by-pu &&
		query '.[] | [.process, .thread, "USEFUL", .useful_ns / 1e9] | @tsv' sql \
			"SELECT process, thread, useful_ns FROM processing_unit
				WHERE experiment = $id"
}

# identity WHAT: of each PU, useful time and overheads are T_p; there are p of them
identity() {
	if ! by_pu >identity.pu 2>identity.err ||
		! query '"\(.p) \(.t_p)"' overhead "$EXP" >identity.all 2>>identity.err; then
		not_ok "$1: no overheads: $(head -n 1 identity.err)"
		return
	fi
	verdict=$(awk '
		FNR == NR { p = $1; t = $2; next }
		$3 == "OTOTAL" || $3 == "USEFUL" || $3 == "UNMEASURED" { sum[$1 " " $2] += $4 }
		END {
			for (pu in sum) {
				n++
				d = sum[pu] - t
				if (d > 2e-6 + 2e-9 * t || -d > 2e-6 + 2e-9 * t)
					printf "%s has %.9f of %.9f s; ", pu, sum[pu], t
			}
			if (n != p) printf "%d units, not %d", n, p
		}' identity.all identity.pu)
	equal "$1: all time of all units is accounted for" "$verdict" ""
}
