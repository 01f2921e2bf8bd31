# SPDX-License-Identifier: BSD-3-Clause
# lib_known.sh - judges programs whose overheads are known: what known.sh and random.sh share. After
# lib.sh.
#
#     /* build: FLAGS */                      beyond -O0 and -O2; optional
#     /* run: RANKS THREADS */                the truths up to the next run are its
#     /* truth: PROCESS THREAD OVERHEAD SECONDS */
#
#     /* culprit: PROCESS THREAD OVERHEAD SECONDS REGION */   what others waited for that unit
#                                             in that region, or below it
#     /* nobody: SECONDS */                   of waits of the run that nobody caused
#     /* traced: SECONDS */                   of waits whose cause only a trace tells
#     /* indirect: PROCESS THREAD OVERHEAD SECONDS REGION */  the same of indirect costs: later
#                                             waits of others that these waits caused
#
#     /* advice: RULE REGION */               the rule of schema/advice.def that is right for a loss
#                                             of that region, whose name has no @LINE
#     /* advisable: RULE REGION */            the same, of a smaller loss. No other advice is right
#
#     /* openmpi WORD: ... */                 a line with any of these words, only for this library
#
# PROCESS and THREAD are a number, a range 0-3, or * for the sum over all. SECONDS - is not checked.
# Every leaf that no truth of the run names must be next to nothing. OLOSS_NOCPU is an estimate of
# time in regions: useful work is right with all, a part or none of it.
# shellcheck shell=sh

# Start-up differs from run to run, and so does what other programs take: neither is checked.
not_judged="OCTRL_MPIMGMT OCTRL_SPAWN OSYNC_INIT OPROBE OLOSS_NOCPU OUNID"

# inner_nodes: all nodes of the tree that have children
inner_nodes() {
	sed -n 's/^SIS_OVERHEAD([A-Z0-9_]*, *\([A-Z0-9_]*\),.*/\1/p' "$TOP/schema/overheads.def" |
		sort -u
}

# judge TITLE TRUTHS MEASURED: TAP lines for one run (without numbers, which TAP allows)
judge() {
	awk -v title="$1" -v ignored="$not_judged $(inner_nodes | tr '\n' ' ')" '
	function near(v, t) { d = v - t; if (d < 0) d = -d; return d <= 0.05 * t + 0.03 }
	function near_with(v, more, t) { return near(v < t && v + more > t ? t : v, t) }
	function report(good, what, v) {
		print (good ? "ok" : "not ok") " - " title ": " what (good ? "" : ", measured " v)
	}
	function bounds(word, high) {
		if (word == "*") { low = 0; return high }
		low = word; sub(/-.*/, "", low); low += 0; sub(/.*-/, "", word); return word + 0
	}
	FNR == NR { # PROCESS THREAD OVERHEAD SECONDS as measured
		seconds[$1, $2, $3] = $4; processes = $1 > processes ? $1 : processes;
		threads = $2 > threads ? $2 : threads
		next
	}
	{ # the same as known
		last_process = bounds($1, processes); first_process = low
		last_thread = bounds($2, threads); first_thread = low
		sum = 0
		for (p = first_process; p <= last_process; p++)
			for (t = first_thread; t <= last_thread; t++) {
				named[p, t, $3] = 1
				sum += seconds[p, t, $3]
				lack = $3 == "USEFUL" ? seconds[p, t, "OLOSS_NOCPU"] : 0
				if ($1 != "*" && $2 != "*" && $4 != "-")
					report(near_with(seconds[p, t, $3] + 0, lack, $4),
					       p " " t " " $3 " " $4, seconds[p, t, $3] + 0)
			}
		if (($1 == "*" || $2 == "*") && $4 != "-")
			report(near(sum, $4), $1 " " $2 " " $3 " " $4, sum)
	}
	END { # what no truth names: no more than 30 ms and 5 % of the run
		split(ignored, words, " ")
		for (i in words) judged_not[words[i]] = 1
		good = 1
		for (key in seconds) {
			split(key, part, SUBSEP)
			if (part[3] == "USEFUL" || part[3] in judged_not || key in named) continue
			all = seconds[part[1], part[2], "OTOTAL"]
			all += seconds[part[1], part[2], "USEFUL"]
			if (seconds[key] <= 0.03 + 0.05 * all) continue
			report(good = 0, "nothing in " part[1] " " part[2] " " part[3],
			       seconds[key])
		}
		if (good) report(1, "nothing elsewhere")
	}' "$3" "$2"
}

# delay_costs COLUMN: PROCESS THREAD OVERHEAD SECONDS PATH of each culprit in $EXP: costs of its
# delays
delay_costs() {
	query ".[] | [.process, .thread, .leaf, .ns / 1e9, .path] | @tsv" sql \
		"SELECT u.process, u.thread, d.leaf, d.$1 AS ns, m.path
		FROM delay d JOIN drg_node m ON m.id = d.culprit_node JOIN processing_unit u
		ON u.id = d.culprit
		WHERE u.experiment = $id"
}

# judge_culprits TITLE TRUTHS MEASURED WORD: TAP lines; leaves that a truth names have no other
# culprits but the probes of SIS, unless WORD is `indirect`
judge_culprits() {
	awk -F "\t" -v title="$1" -v word="$4" '
	function near(v, t) { d = v - t; if (d < 0) d = -d; return d <= 0.05 * t + 0.03 }
	function matches(word, number) { return word == "*" || word == number }
	NR == FNR { split($0, w, " "); n++; for (i = 1; i <= 5; i++) truth[n, i] = w[i];
	named[w[3]] = 1; all[w[3]] += w[4]; next }
	{
		found = 0
		for (k = 1; k <= n && !found; k++)
			found = matches(truth[k, 1], $1) && matches(truth[k, 2], $2) &&
				truth[k, 3] == $3 && \
				index("/" $5 "/", "/" truth[k, 5] "/") ? k : 0
		if (found) sum[found] += $4
		else if ($3 in named && $5 != "probe") other[$3] += $4
	}
	END {
		for (k = 1; k <= n; k++)
			print (near(sum[k] + 0, truth[k, 4]) ? "ok" : "not ok") " - " title \
				": " word " " truth[k, 1] " " truth[k, 2] " " \
				truth[k, 3] " " truth[k, 4] " " truth[k, 5] ", measured " sum[k] + 0
		if (word == "culprit") for (leaf in named)
			print (other[leaf] < 0.03 + 0.05 * all[leaf] ? "ok" : "not ok") \
				" - " title \
				": no other culprits of " leaf ", measured " other[leaf] + 0
	}' "$2" "$3"
}

# load_advice: RULE REGION LEAF SECONDS CAUSE of the report's advice on losses that matter. Small
# ones may be those of a busy machine. A lack of processors is not judged. CAUSE: - if there is
# none, or it is less than half of the loss.
load_advice() {
	query '(0.06 + 0.05 * .t_p) as $small | .p as $p | .actions[] |
		select((.seconds * $p > $small) and
			(.rule | test("PROCESSOR|OTHER_PROGRAMS|PROBES|CAUSE_UNKNOWN") | not)) |
		[.rule, (.region | sub("@[0-9]+$"; "")), .overhead, .seconds * $p,
			(if (.cause.share // 0) > 0.5 then .cause.path else "-" end)] | @tsv' \
		report "$EXP"
}

# judge_advice TITLE TRUTHS CULPRITS: a TAP line: each piece of advice is on a loss that a truth
# names, and its cause is a culprit of that loss
judge_advice() {
	awk -F "\t" -v title="$1" -v inner=" $(inner_nodes | tr '\n' ' ') " '
	FILENAME == ARGV[1] { split($0, w, " "); truth[w[3]] += w[4] == "-" ? 1 : w[4]; next }
	FILENAME == ARGV[2] { split($0, w, " "); n++; leaf[n] = w[3]; culprit[n] = w[5]; next }
	index(inner, " " $3 " ") { next }
	{
		known = 0 # also as a truth on the node above, such as OLOSS of OLOSS_PART
		for (t in truth) if (index($3 "_", t "_") == 1) known += truth[t]
		if (known < 0.03)
			wrong = wrong "; " $1 " on " $3 ", " $4 " s"
		judged = right = 0
		for (k = 1; k <= n; k++) if (leaf[k] == $3) {
			judged = 1
			if ($5 == "-" || index("/" $5 "/", "/" culprit[k] "/")) right = 1
		}
		if (judged && !right)
			wrong = wrong "; " $1 " on " $3 " because of " $5
	}
	END { print (wrong == "" ? "ok" : "not ok") " - " title ": advice fits the truths" wrong }
	' "$2" "$3" advised
}

# judge_rules TITLE ADVICE: a TAP line: the rules of the advice are those that the program names.
# The report has the three largest gains. Without probes the region is the function around it.
judge_rules() {
	awk -F "\t" -v title="$1" -v preload="${PRELOAD:-}" '
	NR == FNR {
		n++
		split($0, w, " ")
		must[n] = w[1] == "advice:"
		right[n] = preload ? w[2] : w[2] "\t" substr($0, length(w[1] w[2]) + 3)
		next
	}
	{
		shown++
		found = 0
		is = preload ? $1 : $1 "\t" $2
		for (k = 1; k <= n; k++) if (right[k] == is) found = seen[k] = 1
		if (!found) wrong = wrong "; " $1 " in " $2 ", " $4 " s"
	}
	END {
		for (k = 1; k <= n && shown; k++)
			if (must[k] && !seen[k] && shown < 3) wrong = wrong "; none " right[k]
		print (wrong == "" ? "ok" : "not ok") " - " title ": advice" wrong
	}' "$2" advised
}

# law TITLE: no culprit is charged with more than it did, and the causes of nearly all waits are
# recorded. $nobody seconds of waits have no culprit at all.
law() {
	query '.[] | [.error, .rest, .waits] | @tsv' sql \
		"SELECT e.cause_error_ns / 1e9 AS error, e.not_recorded_ns / 1e9 AS rest,
		sum(o.ns) / 1e9 AS waits FROM experiment e JOIN drg_node n ON n.experiment = e.id
		JOIN overhead o ON o.drg_node = n.id WHERE e.id = $id AND (o.leaf LIKE 'OSYNC%'
		OR o.leaf LIKE 'OLOSS_%PAR%' OR o.leaf = 'OLOSS_PART') GROUP BY e.id" >law
	awk -v title="$1" -v nobody="${nobody:-0}" -v traced="${SIS_TRACE:-}" '
	function report(good, what) { print (good ? "ok" : "not ok") " - " title ": " what }
	{
		report($1 < 0.0005, "nobody is charged with more than it did: " $1)
		most = 0.005 + (traced ? 0.01 : 0.05) * $3
		report($2 - nobody < most, "causes are recorded: all but " $2 " of " $3)
	}' law
}

# once TITLE PROGRAM RANKS THREADS TRUTHS: runs and judges
once() {
	run "$3" "$4" "./$2"
	if [ $run_status != 0 ]; then
		not_ok "$1: runs, status $run_status: $(head -n 3 run.err)"
	elif ! by_pu >measured 2>measured.err; then
		not_ok "$1: overhead --by-pu: $(head -n 3 measured.err)"
	else
		judge "$1" "$5" measured
		for word in culprit indirect; do
			[ -s "$word" ] || continue
			column=$([ $word = culprit ] && echo ns || echo indirect_ns)
			delay_costs "$column" >measured
			judge_culprits "$1" "$word" measured "$word"
		done
		load_advice >advised
		judge_advice "$1" "$5" culprit
		[ ! -s advice ] || judge_rules "$1" advice
		identity "$1"
		law "$1"
	fi
}

# is_busy: more threads of other programs can run than there are processors
is_busy() {
	awk -v processors="$(nproc)" '{ exit !($4 - 1 >= processors) }' /proc/loadavg
}

# known_run TITLE PROGRAM RANKS THREADS TRUTHS: a busy machine can spoil the truth itself, when it
# wakes a sleeper late, or stops a rank that polls for a message. So a program that fails is tried
# again, and what is wrong in all of $known_tries runs is wrong. Runs on a busy machine do not
# count, up to $known_tries_busy runs.
known_tries=3
known_tries_busy=12
[ -z "${BESIDE_OTHERS:-}" ] || known_tries_busy=2 # it will be run alone
known_run() {
	left=$known_tries
	for try in $(seq $known_tries_busy); do
		once "$@" >verdict
		grep -q '^not ok' verdict || break
		is_busy || left=$((left - 1))
		[ $left -gt 0 ] || break
	done
	cat verdict
	[ $try = 1 ] || echo "# $1: $try tries"
}

# known_build PROGRAM SOURCE FLAGS...: compiles it; what was said is in PROGRAM.err
known_build() {
	built=$1 source=$2
	shift 2
	flags=$(sed -n 's|^/\* build: *\(.*\) \*/$|\1|p' "$source")
	# shellcheck disable=SC2086
	case $source in *.cc) compiler=$MPICXX ;; *) compiler=$MPICC ;; esac
	SISC_CC=$compiler "$SISC" -o "$built" "$source" "$@" $flags >"$built.out" 2>"$built.err" ||
		echo "status $?" >>"$built.err"
}

# with_clang COMMAND...: mpicc and mpicxx use clang
with_clang() {
	MPICH_CC=clang-19 OMPI_CC=clang-19 MPICH_CXX=clang++-19 OMPI_CXX=clang++-19
	export MPICH_CC OMPI_CC MPICH_CXX OMPI_CXX
	"$@"
	unset MPICH_CC OMPI_CC MPICH_CXX OMPI_CXX
}

# The MPI library, as lines for one library name it.
if echo '#include <mpi.h>' | "$MPICC" -E -dM -x c - | grep -q OMPI_MAJOR_VERSION; then
	known_library=openmpi
else
	known_library=mpich
fi

# known_judge PROGRAM SOURCE TITLE: all runs of a program that known_build has compiled
known_judge() {
	program=$1 source=$1.known title=$3
	sed "s|^/\* $known_library |/* |" "$2" >"$source"
	if [ -s "$program.err" ]; then
		not_ok "$title: builds silently: $(head -n 3 "$program.err")"
		return
	fi
	sed -n 's|^/\* run: *\(.*\) \*/$|\1|p' "$source" >runs
	while read -r ranks threads; do
		awk -v run="$ranks $threads" \
			'/^\/\* run: / { on = ($3 " " $4 == run) }
				/^\/\* truth: / && on { print $3, $4, $5, $6 }' \
			"$source" >truths
		for word in culprit indirect; do
			awk -v run="$ranks $threads" -v word="$word:" \
				'/^\/\* run: / { on = ($3 " " $4 == run) }
				$2 == word && on { print $3, $4, $5, $6, $7 }' \
				"$source" >"$word"
		done
		awk -v run="$ranks $threads" '/^\/\* run: / { on = ($3 " " $4 == run) }
			on && sub(/^\/\* advi/, "advi") { sub(/ \*\/$/, ""); print }' \
			"$source" >advice
		nobody=$(awk -v run="$ranks $threads" -v traced="${SIS_TRACE:-}" \
			'/^\/\* run: / { on = ($3 " " $4 == run) }
			on && ($2 == "nobody:" || $2 == "traced:" && !traced) { sum += $3 }
			END { print sum + 0 }' "$source")
		known_run "$title ${ranks}x$threads" "$program" "$ranks" "$threads" truths \
			</dev/null
	done <runs
}
