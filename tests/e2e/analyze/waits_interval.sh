# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze waits --from and --to: the waits in a part of the run, and who caused them. The waits
# are those of overhead --from and --to. Parts that follow each other add up to the whole run.
# asleep: its truth is time asleep, which ends later on a busy machine
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"
. "$E2E/known/lib_traced.sh"

# Rank 1 sends 300 ms late, for which rank 2 waits, too, because it waits for rank 0. Then rank 0
# sends 200 ms late, in the same functions. Then thread 1 of each rank is late to a barrier.
source_file phases.c <<'END'
#include <mpi.h>
#include <omp.h>
#include "work.h"

static void late(int ms) { rest(ms); }

static void give(int to)
{
	int x = 0;
	MPI_Send(&x, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
}

static void take(int from)
{
	int x;
	MPI_Recv(&x, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void first(int rank)
{
	if (rank == 1) {
		late(300);
		give(0);
	} else if (rank == 0) {
		take(1);
		give(2);
	} else {
		take(0);
	}
}

static void second(int rank)
{
	if (rank == 0) {
		late(200);
		give(1);
	} else if (rank == 1) {
		take(0);
	}
}

static void third(void)
{
#pragma omp parallel
	{
		if (omp_get_thread_num() == 1)
			rest(200);
#pragma omp barrier
	}
}

int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	first(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	second(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	third();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
build phases phases.c -O1 -fopenmp "-I$E2E/include" --sis-cr=CR_F,CR_OMP,CR_MPI
SIS_TRACE=1 run 3 2 ./phases
trace_json

# begin REGION: when the first thread entered it, in seconds
begin() {
	jq "[.traceEvents[] | select(.name == \"$1\" and .ph == \"B\") | .ts] | min / 1e6" \
		trace.json
}
a=$(begin first) b=$(begin second) c=$(begin third)
check "the phases follow each other" \
	awk -v a="$a" -v b="$b" -v c="$c" 'BEGIN { exit !(a > 0 && b > a + 0.25 && c > b + 0.15) }'

# -- each phase shows its own culprits
# pair VICTIM CULPRIT CAUSE OPTION...: seconds
pair() {
	select=".victim == \"$1\" and .culprit == \"$2\" and (.cause_path | endswith(\"$3\"))"
	shift 3
	query "[.[] | select($select) | .seconds] | add // 0" waits "$EXP" --pairs "$@"
}
near "rank 0 waits for rank 1 in the first phase" \
	"$(pair 0.0 1.0 late/rest --from "$a" --to "$b")" 0.3
near "and its idle thread" "$(pair 0.1 1.0 late/rest --from "$a" --to "$b")" 0.3
near "not in the second" "$(pair 0.0 1.0 late/rest --from "$b")" 0
near "rank 1 waits for rank 0 in the second" "$(pair 1.0 0.0 late/rest --from "$b" --to "$c")" 0.2
near "not in the first" "$(pair 1.0 0.0 late/rest --to "$b")" 0
near "threads wait for each other in the third" "$(pair 2.0 2.1 /rest --from "$c")" 0.2
near "not before" "$(pair 2.0 2.1 /rest --to "$c")" 0
middle=$(jq -n "$a + 0.1")
near "a wait that lasts longer than the interval" \
	"$(pair 0.0 1.0 late/rest --from "$middle" --to "$(jq -n "$middle + 0.15")")" 0.15
# seconds that a cause cost, summed over the units
cost() {
	what=$1 cause=$2
	shift 2
	query "[.[] | select(.path | endswith(\"$cause\")) | .$what] | add // 0 | . * 6" \
		waits "$EXP" --culprits "$@"
}
# those of rank 0 and of two idle threads
near "the first phase's direct cost" \
	"$(cost direct_seconds first/late/rest --from "$a" --to "$b")" 0.9
# before rank 1 sends, so that what follows is in no part of it
before=$(jq -n "$a + 0.25")
near "what rank 2 and its idle thread waited, indirectly" \
	"$(cost indirect_seconds first/late/rest --from "$a" --to "$before")" 0.5
near "half of a wait has half of the indirect cost" \
	"$(cost indirect_seconds first/late/rest --from "$(jq -n "$a + 0.125")" --to "$before")" 0.25
near "it is no cost later" "$(cost seconds first/late/rest --from "$b")" 0
# those of rank 1 and of two idle threads; those of rank 2 for rank 1
near "the second phase's" "$(cost seconds second/late/rest --from "$b" --to "$c")" 1.0
matches "text ends with what is estimated" "$(analyze waits "$EXP" --from "$a" --to "$b")" \
	'^Uncertain: at most'

# -- the waits are those of overhead
# as_overhead FROM TO: "same" if the victims' waits are the leaves of each unit
as_overhead() {
	analyze waits "$EXP" --victims --from "$1" --to "$2" --json >victims.json
	analyze overhead "$EXP" --by-pu --from "$1" --to "$2" --json >overhead.json
	jq -n -r --slurpfile waits victims.json --slurpfile all overhead.json '
		def sums: map({ key: "\(.process).\(.thread) \(.wait // .overhead)", s: .seconds }) |
			group_by(.key) | map({ key: .[0].key, value: (map(.s) | add) }) | from_entries;
		($waits[0] | sums) as $w | ($all[0] | map(select(.overhead | test(
			"^(OSYNC_|OLOSS_UNPAR|OLOSS_PART)"))) |
			map(select(.overhead | test("^OSYNC_(UNCONT|.)$") | not)) | sums) as $o |
		[($w | keys[]), ($o | keys[])] | unique |
		map(select((($w[.] // 0) - ($o[.] // 0)) | . > 1e-6 or . < -1e-6)) |
		if . == [] then "same" else join(", ") end'
}
equal "the waits of the first phase are its leaves" "$(as_overhead "$a" "$b")" same
equal "those of the third" "$(as_overhead "$c" 1000)" same
equal "those of a part" "$(as_overhead "$middle" "$(jq -n "$b + 0.1")")" same

# -- sums
# sums LIST FILE...: "same" if the rows of the first are the sums of the others'
sums() {
	case $1 in
	--pairs) key='[.victim, .culprit, .wait, .path, .line_start, .cause_path, .cause_line_start]' ;;
	--victims) key='[.process, .thread, .wait, .path, .line_start]' ;;
	--culprits) key='[.path, .line_start]' ;;
	*) key='[.wait, .path, .line_start]' ;;
	esac
	shift
	jq -s -r "def rows: map({ key: ($key | tojson), value: {
			seconds, direct_seconds, indirect_seconds, wrong_order_seconds,
			estimated_seconds, known_seconds } });
		(.[0] | rows) as \$whole | ([.[1:][] | rows[]] | group_by(.key) |
			map({ key: .[0].key, value: map(.value) }) | from_entries) as \$parts |
		[\$whole[] | . as \$row | \$row.value | to_entries[] | select(.value) | . as \$e |
			select((([(\$parts[\$row.key] // [])[] | .[\$e.key]] | add // 0) - \$e.value) |
				. > 2e-6 or . < -2e-6) | \"\(\$row.key) \(\$e.key)\"] |
		if . == [] then \"same\" else join(\", \") end" "$@"
}
adds_up() { # adds_up NAME MIDDLE
	for list in "" --victims --culprits --pairs; do
		analyze waits "$EXP" $list --json >whole.json
		analyze waits "$EXP" $list --json --from 0 >all.json
		analyze waits "$EXP" $list --json --to "$2" >1.json
		analyze waits "$EXP" $list --json --from "$2" >2.json
		equal "$1: from 0 to the end, ${list:-places}" "$(sums "$list" whole.json all.json)" same
		equal "$1: nothing more, ${list:-places}" "$(sums "$list" all.json whole.json)" same
		equal "$1: parts add up, ${list:-places}" "$(sums "$list" whole.json 1.json 2.json)" same
	done
}
adds_up phases "$middle"
of_known() { # of_known RANKS THREADS NAME: of a program of known/
	run_traced "$@"
	t_p=$(query .t_p overhead "$EXP")
	adds_up "$3" "$(jq -n "$t_p * 0.4")"
	equal "$3: the waits are the leaves" "$(as_overhead "$(jq -n "$t_p * 0.4")" "$t_p")" same
}
of_known 1 3 team_sizes
of_known 1 1 pthread_pools
of_known 2 1 poll_sets
of_known 1 2 uneven_tasks
of_known 2 1 pcontrol

# -- errors
one_error "a sequential run" 2 "--seq is for the whole run" \
	"$ANALYZE" waits --db sis.db "$EXP" --from 1 --seq "$EXP"
one_error "the wrong order" 2 "--to is not after --from" \
	"$ANALYZE" waits --db sis.db "$EXP" --from 2 --to 1
one_error "after the end" 1 "the run ended after .*; write an earlier time" \
	"$ANALYZE" waits --db sis.db "$EXP" --from 1000
SIS_TRACE=0 run 2 2 ./phases
one_error "no trace" 1 "only a trace knows when things happened; run the program with SIS_TRACE=1" \
	"$ANALYZE" waits --db sis.db "$EXP" --from 0
