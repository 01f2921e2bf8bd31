# SPDX-License-Identifier: BSD-3-Clause
# Private copies and reductions: OADD_PRIV and OADD_RED have the time that the program itself found
# them to take, with gcc and with clang. Wall time is compared with wall time of the same threads,
# so other programs do not matter.
# ci: it compiles many programs
. "$(dirname "$0")/../lib.sh"
ulimit -s unlimited 2>/dev/null || ulimit -s 200000
export OMP_STACKSIZE=100M

# seconds TYPE: inclusive, of all threads, less waits inside
seconds() {
	query "[.[] | select(.type == \"$1\") | .wtime_incl] | add // 0" regions "$EXP"
}
# is_near MEASURED TRUTH LESS: 20 %, or 200 us; up to LESS below is right, too
is_near() {
	awk -v m="$1" -v t="$2" -v l="${3:-0}" \
		'BEGIN { d = 0.2 * t + 2e-4; exit !(m >= t - l - d && m <= t + d) }'
}
within() { # within WHAT MEASURED TRUTH LESS
	if is_near "$2" "$3" "${4:-0}"; then ok "$1"; else not_ok "$1: $2 of $3 s"; fi
}
# leaves_of TYPE: what the time at and below nodes of the type is, but for waits, loss and probes
leaves_of() {
	query '[.[].leaf] | sort | join(" ")' sql "WITH RECURSIVE below(node) AS (
		SELECT n.id FROM drg_node n JOIN code_region r ON r.id = n.region
		WHERE r.type = '$1' AND n.experiment = $id
		UNION SELECT n.id FROM drg_node n JOIN below b ON n.parent = b.node)
		SELECT DISTINCT o.leaf FROM overhead o JOIN below b ON b.node = o.drg_node
		WHERE o.ns > 0 AND o.leaf NOT LIKE 'OSYNC%' AND o.leaf NOT LIKE 'OLOSS%'
			AND o.leaf != 'OPROBE'
		UNION SELECT 'USEFUL' FROM region_summary s JOIN below b ON b.node = s.drg_node
		WHERE s.useful_ns > 0"
}
measure() { # measure COMPILER THREADS KIND: sets what the program says and what was measured
	run_alone "$2" "./clauses.$1" "$3"
	read -r combining copying _ <run.out
	waits=$(query '[.[] | select(.type == "RT_CRITICAL") | .wtime_incl] | add // 0' \
		regions "$EXP")
	reduce=$(seconds RT_REDUCE) private=$(seconds RT_PRIVATE) start=$(seconds RT_FORK)
	with_waits=$(echo "$combining $waits" | awk '{ print $1 + $2 }')
}
# A thread may lose its processor between the program's reading of the clock and the runtime's.
is_spoiled() { # is_spoiled KIND
	case $1 in
	section) false ;;
	loop_copies) ! is_near "$private" "$copying" ;;
	copies) ! is_near "$private" "$copying" "$start" ;;
	*) ! is_near "$reduce" "$with_waits" "$waits" || ! is_near "$private" "$copying" ;;
	esac
}
judge() { # judge COMPILER THREADS KIND
	what="$1, $3, $2 threads"
	./plain.$1 "$3" >plain.out
	for try in 1 2 3 4; do
		measure "$@"
		is_spoiled "$3" || break
	done
	equal "$what: computes the same" "$run_status $(cut -d ' ' -f 3 run.out)" \
		"0 $(cut -d ' ' -f 3 plain.out)"
	id=$(query '.[0].id' import "$EXP")
	case $3 in
	section)
		check "$what: combining is found ($reduce s)" \
			awk -v s="$reduce" 'BEGIN { exit !(s > 5e-4) }'
		equal "$what: one for each thread" "$(query '[.[] | select(.type == "RT_REDUCE") |
			.calls] | add' regions "$EXP")" "$2"
		;;
	loop_copies) within "$what: copies" "$private" "$copying" ;;
	copies) # the program cannot tell the start of the threads from it
		within "$what: copies" "$private" "$copying" "$start" ;;
	*)
		within "$what: combining" "$reduce" "$with_waits" "$waits"
		within "$what: initial values" "$private" "$copying"
		equal "$what: all of combining" "$(leaves_of RT_REDUCE)" OADD_RED
		;;
	esac
	[ "$3" = tasks ] || equal "$what: all of copying" "$(leaves_of RT_PRIVATE)" OADD_PRIV
	identity "$what"
}
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "it is not here"; continue; }
	SISC_CC=$compiler
	export SISC_CC
	build clauses.$compiler -O2 -fopenmp "$HERE/clauses.c"
	$compiler -O2 -fopenmp "$HERE/clauses.c" -o plain.$compiler
	export OMP_NUM_THREADS=2
	for kind in loop block nowait chunks tasks section copies loop_copies; do
		judge $compiler 2 $kind
	done
	judge $compiler 1 loop
	export OMP_NUM_THREADS=6
	judge $compiler 6 loop # libomp combines at a barrier
	export OMP_NUM_THREADS=2
	SIS_TRACE=1 run_alone 2 ./clauses.$compiler nowait
	equal "$compiler: traced, too" "$(query '[.[] | select(.type == "RT_REDUCE") |
		.calls] | add' regions "$EXP")" 4
done
unset SISC_CC

# -- scalars are counted
source_file scalars.c <<'END'
int main(void)
{
	int sum = 0, one = 0, low = 0, n = 10;
	long double wide = 0;
#pragma omp parallel reduction(+ : one) reduction(min : low) firstprivate(n)
	for (int k = 0; k < 3; k++)
#pragma omp for reduction(+ : sum, wide)
		for (int i = 0; i < n; i++)
			sum += i, wide += i, low -= i, one++;
	return sum - 135;
}
END
build scalars -fopenmp scalars.c
run_alone 2 ./scalars
equal "scalars: it runs" "$run_status" 0
of() { query "[.[] | select(.type == \"$1\") | .$2] | add" regions "$EXP"; }
equal "scalars are counted: each reduction of each thread" "$(of RT_REDUCE calls)" 8
equal "and private copies" "$(of RT_PRIVATE calls)" 2
equal "they are not timed" "$(of RT_REDUCE wtime_incl) $(of RT_PRIVATE wtime_incl)" "0 0"

# -- what can have these overheads
warned() { # warned METRIC CLAUSES: sisc's warnings
	printf '%s %s\nint f(int n, int s) {\n#pragma omp parallel for %s\n%s\n%s' \
		"#pragma sis cr pmetric" "$1" "$2" \
		"	for (int i = 0; i < n; i++)" "		s += i;
	return s;
}" >warned.c
	"$SISC" -fopenmp -c warned.c 2>&1 | grep -v note
}
matches "no reduction" "$(warned OADD_RED 'private(s)')" \
	"1:[0-9]+: warning: OADD_RED .*cannot occur here"
equal "a reduction" "$(warned OADD_RED 'reduction(+ : s)')" ""
matches "no private copies" "$(warned OADD_PRIV 'shared(s)')" \
	"1:[0-9]+: warning: OADD_PRIV .*cannot occur here"
equal "private copies" "$(warned OADD_PRIV 'firstprivate(s)')" ""
