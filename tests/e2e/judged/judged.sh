# SPDX-License-Identifier: BSD-3-Clause
# Programs that compute and log what they do, with one planted fault each. replay.mjs finds from the
# log alone who made whom wait, in which function, and compares that with what is in the repository.
# alone: others on the processors change who waits for whom, and between a log and a probe, too
#
#     /* build: FLAGS */          beyond -O2; optional
#     /* object: FILE */          of object/, compiled without sisc
#     /* run: RANKS THREADS */    the first one has a processor for each thread
#     /* fault: NAME */           a function that the first advice names: of the loss or its cause
#     /* remedy: RULE... */       the rules of schema/advice.def that fit
#
# JUDGED='mutex ring' in the environment runs only those, JUDGED=all all of them (make check-long).
# JUDGED_REPORT=1 prints a table without verdicts, with the largest differences below each run;
# JUDGED_KEEP=DIRECTORY keeps logs there.
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"
. "$HERE/../known/lib_known.sh"
unset SIS_ASLEEP # these programs do not sleep instead of working

JUDGED=${JUDGED:-alternate depend foreign hybrid_single mutex output producer sections}

# In percent, of all runs that have a processor for each thread, and of the others: the least recall
# and precision of units, and of functions; and how many first advices fit.
least_units=95 least_functions=92
least_units_crowded=92 least_functions_crowded=87
least_advised=90

# sis_rows: what replay.mjs needs from the repository, for the experiment $id
sis_rows() {
	left_out="NOT IN ('OSYNC_INIT') AND d.leaf NOT LIKE 'OCTRL%'"
	query . sql "SELECT v.process || '.' || v.thread AS victim,
		c.process || '.' || c.thread AS culprit, m.parent IS NULL AS root, d.ns
		FROM wait_pair d JOIN drg_node m ON m.id = d.culprit_node
		JOIN processing_unit c ON c.id = d.culprit
		LEFT JOIN processing_unit v ON v.id = d.victim
		WHERE c.experiment = $id AND d.leaf $left_out" >pairs.json &&
		query . sql "SELECT c.process || '.' || c.thread AS culprit, m.path,
		m.parent IS NULL AS root, d.ns, d.passed_ns AS passed, d.indirect_ns AS indirect,
		d.no_processor_ns AS lack FROM delay d JOIN drg_node m ON m.id = d.culprit_node
		JOIN processing_unit c ON c.id = d.culprit
		WHERE c.experiment = $id AND d.leaf $left_out" >delays.json &&
		query . sql "SELECT (SELECT COALESCE(SUM(o.ns), 0) FROM overhead o
		JOIN drg_node n ON n.id = o.drg_node
		WHERE n.experiment = $id AND o.leaf = 'OLOSS_NOCPU') AS lack,
		COALESCE(not_recorded_ns, 0) AS unknown FROM experiment
		WHERE id = $id" >sums.json &&
		jq -n --slurpfile p pairs.json --slurpfile d delays.json --slurpfile s sums.json \
			'{pairs: $p[0], delays: $d[0]} + $s[0][0]' >sis.json
}

# first_advice: RULE REGION CAUSE-PATH of the largest loss that is not one of the machine's
first_advice() {
	query '([.actions[] | select(.rule | test("PROCESSOR|OTHER_PROGRAMS|PROBES") | not)] +
		.actions)[0] | if . == null then "none - - -" else
		[.rule, .region, .cause.path, .path] | map((. // "-") | gsub(" "; "_")) | join(" ")
		end' report "$EXP"
}

comment() { sed -n "s|^/\* $1: *\(.*\) \*/\$|\1|p" "$2"; } # comment WORD FILE

# judged_build NAME WITH: compiles NAME.c; what was said is in NAME.err
judged_build() {
	source=$HERE/$1.c objects=
	for object in $(comment object "$source"); do
		"$CC" -O2 -c "$HERE/object/$object" -o "${object%.c}.o" &&
			objects="$objects ${object%.c}.o"
	done
	flags=$(comment build "$source")
	cc=$CC
	[ "$2" != clang ] || cc=clang-19
	! uses_mpi "$source" || cc= # mpicc, which obeys these two
	[ "$2" != clang ] || export MPICH_CC=clang-19 OMPI_CC=clang-19
	# shellcheck disable=SC2086
	SISC_CC=$cc "$SISC" -O2 $flags -o "$1" "$source" $objects >"$1.err" 2>&1 ||
		echo "status $?" >>"$1.err"
	unset MPICH_CC OMPI_CC
}

# judged_run NAME RANKS THREADS WAY: a line of the table, and a row of `judged`
judged_run() {
	name=$1 title="$1 ${2}x$3 $4"
	rm -f own-*.log
	if uses_mpi "$HERE/$1.c"; then run "$2" "$3" "./$1"; else run_alone "$3" "./$1"; fi
	if [ $run_status != 0 ]; then
		not_ok "$title: runs, status $run_status: $(head -n 3 run.err)"
		return
	fi
	if ! id=$(query '.[0].id' import "$EXP") || ! sis_rows ||
		! node "$HERE/replay.mjs" "$T"/own-*.log --sis sis.json \
			${JUDGED_REPORT:+--verbose} >compared 2>compared.err; then
		not_ok "$title: is compared: $(head -n 5 compared.err)"
		return
	fi
	first_advice >first
	# shellcheck disable=SC2046
	set -- "$2" "$3" "$4" $(grep -v '^#' compared) $(cat first)
	advised=no
	case "/$(echo "${17}/${16}/${18}" | sed 's/@[0-9]*//g')/" in
	*"/$(comment fault "$HERE/$name.c")/"*) advised=named ;;
	esac
	case " $(comment remedy "$HERE/$name.c") " in
	*" ${15} "*) [ $advised = no ] || advised=yes ;;
	*) [ $advised = no ] || advised=rule ;;
	esac
	case ${15} in # all advice is on the lack, which is right where they are too many
	*PROCESSOR*) [ $(($1 * $2)) -le "$(nproc)" ] || advised=yes ;;
	esac
	echo "# $name ${1}x$2 $3: unit $4/$5, function $6/$7, indirect $8/$9," \
		"lack ${10}/${11}, not recorded ${12}, all lack ${13}/${14} s;" \
		"first advice ($advised): ${15} ${16} cause ${17}"
	echo "$name ${1}x$2 $3 $(($1 * $2)) $4 $5 $6 $7 $advised" >>judged
	grep '^#  ' compared
	if [ -n "${JUDGED_KEEP:-}" ]; then
		kept=$JUDGED_KEEP/$name-${1}x$2-$3
		mkdir -p "$kept" && cp own-*.log sis.json compared first "$kept"
		analyze report "$EXP" --json >"$kept/report.json"
	fi
	rm -rf "$EXP"
}

OWN_LOG=$T/own
export OWN_LOG
turn=0
for file in "$HERE"/*.c; do
	name=$(basename "$file" .c) with=gcc
	if grep -q '^/\* build:.*-fopenmp' "$file"; then
		turn=$((turn + 1))
		[ $((turn % 2)) = 1 ] || ! command -v clang-19 >/dev/null || with=clang
	fi
	case " $JUDGED " in *" $name "* | " all ") ;; *) continue ;; esac
	judged_build "$name" "$with"
	if [ -s "$name.err" ]; then
		not_ok "$name: $with builds it silently: $(head -n 3 "$name.err")"
		continue
	fi
	echo "# $name: $with"
	comment run "$file" >runs
	while read -r ranks threads <&3; do
		judged_run "$name" "$ranks" "$threads" untraced
		SIS_TRACE=1
		export SIS_TRACE
		judged_run "$name" "$ranks" "$threads" traced
		unset SIS_TRACE
	done 3<runs
done

at_least() { # at_least WHAT PERCENT LEAST
	if [ -n "${JUDGED_REPORT:-}" ]; then
		echo "# $1: $2 %"
	elif [ "$2" -ge "$3" ]; then
		ok "$1: $2 %"
	else
		not_ok "$1: $2 %, not $3"
	fi
}

# totals WHICH CROWDED: the means of the runs, each of which counts the same
totals() {
	awk -v crowded="$2" -v processors="$(nproc)" '($4 > processors) == crowded {
			n++
			for (i = 5; i <= 8; i++) sum[i] += $i
		}
		END { for (i = 5; i <= 8; i++) printf "%.0f ", n ? 100 * sum[i] / n : 100 }' \
		judged >means
	read -r unit_recall unit_precision recall precision <means
	at_least "$1: units that others waited for, recall" "$unit_recall" "$3"
	at_least "$1: units that others waited for, precision" "$unit_precision" "$3"
	at_least "$1: functions that others waited for, recall" "$recall" "$4"
	at_least "$1: functions that others waited for, precision" "$precision" "$4"
}
[ -s judged ] || give_up "some program runs"
totals "a processor for each" 0 "$least_units" "$least_functions"
totals crowded 1 "$least_units_crowded" "$least_functions_crowded"
advised=$(awk '$9 == "yes" { n++ } END { printf "%.0f", 100 * n / NR }' judged)
at_least "the first advice names the fault and a remedy" "$advised" "$least_advised"
