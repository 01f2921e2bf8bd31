# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze ratio computes ratios from the numbers that `regions` shows. Expressions and their
# errors.
. "$(dirname "$0")/../lib.sh"

source_file prog.c <<'END'
#include <unistd.h>
static void nap(int n) { usleep(n); if (n > 1000) nap(n / 2); }
int main(void) { for (int i = 0; i < 4; i++) nap(4000); return 0; }
END
build prog prog.c --sis-cr=CR_P,CR_F --sis-pmetric=WTIME,CALLS,CTIME
run_alone 1 ./prog

# of REGION RATIO [ARGUMENT...]: its value
of() {
	region=$1 ratio=$2
	shift 2
	query ".[] | select(.region == \"$region\" and .ratio == \"$ratio\") | .value" ratio \
		"$EXP" "$@"
}
sum() { query "[.[] | select(.region == \"$1\") | .$2] | add" regions "$EXP"; }
same() { # same WHAT GOT WANTED: but for rounding in print
	if awk -v a="$2" -v b="$3" \
		'BEGIN { d = a - b; if (d < 0) d = -d;
			exit !(a != "" && b != "" && d <= 1e-6 * (b < 0 ? -b : b)) }'; then
		ok "$1"; else not_ok "$1: '$2', not '$3'"; fi
}
same "a built-in one" "$(of main MEAN)" "$(sum main wtime_incl)"
same "of a recursive region, whose time counts once" "$(of nap T --define 'T=WTIME')" \
	"$(query '[.[] | select(.path == "main/nap") | .wtime_incl] | add' regions "$EXP")"
same "calls are all of them" "$(of nap C --define 'C = CALLS')" "$(sum nap calls)"
same "time by itself" "$(of main E --define 'E=EXCL*1e3')" \
	"$(awk -v v="$(sum main wtime_excl)" 'BEGIN { print v * 1e3 }')"
same "useful and lost time are all" "$(of run ALL --define 'ALL=(T_P*P-OTOTAL)/WTIME')" \
	"$(query '.useful / .t_p' overhead "$EXP")"
check "a metric that was asked for" test "$(of main CPU)" != null -a -n "$(of main CPU)"
equal "a metric that was not" "$(of main IPC2 --define 'IPC2=TOT_INS/TOT_CYC')" null
equal "which is not shown when nobody asked" "$(of main IPC)" ""
equal "a division by zero" "$(of main Z --define 'Z=1/(CALLS-1)')" null
equal "names in any case, min and max" "$(of main M --define 'M=max(min(calls,7), 0.5)-3')" -2
equal "two of them" \
	"$(of main A --define A=1 --define B=2),$(of main B --define A=1 --define B=2)" \
	1,2
equal "one that takes a built-in's name" "$(of main MEAN --define MEAN=5)" 5
matches "the table" \
	"$(analyze ratio "$EXP" --define 'TEN=CALLS*10' --type CR_P)" \
	'^main +CR_P +prog.c:3 +10 '
matches "a share is in per cent, as in the report" "$(analyze ratio "$EXP")" \
	'^main .* [0-9]+\.[0-9] %'
matches "which says what was not measured" \
	"$(analyze ratio "$EXP" --define 'X=TOT_CYC')" \
	'^TOT_CYC was not measured'
equal "--type" "$(query '[.[].region] | unique | join(" ")' ratio "$EXP" --type CR_F)" nap
equal "--pu" "$(query length ratio "$EXP" --pu 3.0)" 0
equal "--csv" \
	"$(analyze ratio "$EXP" --csv | head -n 1)" \
	"region,type,file,line_start,process,thread,ratio,value"
one_error "an unknown metric" 2 "unknown metric 'WTIM'; did you mean WTIME" \
	"$ANALYZE" ratio "$EXP" --define 'X=WTIM'
one_error "no name" 2 "no NAME=EXPR" "$ANALYZE" ratio "$EXP" --define 'WTIME/2'
one_error "a name twice" 2 "names 'A' twice" "$ANALYZE" ratio "$EXP" --define A=1 --define A=2
one_error "no end" 2 "ends where a value is expected" "$ANALYZE" ratio "$EXP" --define 'A=1+'
one_error "no operator" 2 "'W' at column 3 of" "$ANALYZE" ratio "$EXP" --define 'A=2 WTIME'

# -- nodes of the call graph, call paths, and sums over processes and hosts
equal "--tree: each node has its own" \
	"$(query '[.[] | select(.ratio == "T") | "\(.path) \(.value * 1e4 | round)"] | sort |
		join(", ")' ratio "$EXP" --tree --define T=WTIME)" \
	"$(query '[.[] | "\(.path) \(.wtime_incl * 1e4 | round)"] | sort | join(", ")' regions \
		"$EXP")"
equal "--tree: an overhead includes what the node calls" \
	"$(query '.[] | select(.ratio == "O" and .path == "run") | .value * 1e4 | round' ratio \
		"$EXP" --tree --define O=OTOTAL)" \
	"$(query '.overheads.OTOTAL * 1e4 | round' overhead "$EXP")"
matches "--tree: as text" "$(analyze ratio "$EXP" --tree --define 'TEN=CALLS*10')" \
	'^  main +CR_P .* 10 '
of_names() { query '[.[] | .path // .region] | unique | join(" ")' ratio "$EXP" "$@"; }
equal "--region: a file and line" "$(of_names --region prog.c:2)" nap
equal "--region and --tree: what it calls, too" "$(of_names --region nap --tree --type CR_F)" \
	"main/nap main/nap/nap main/nap/nap/nap"
equal "--region: a call path, whose nodes are those of all depths" \
	"$(of_names --region 'main > nap')" "main/nap main/nap/nap main/nap/nap/nap"
one_error "--region: an unknown one" 1 "no region 'napp'.* did you mean 'nap'" \
	"$ANALYZE" ratio "$EXP" --region napp
one_error "two sums" 2 "at once; choose one" "$ANALYZE" ratio "$EXP" --by-pu --by-host

source_file ranks.c <<'END'
#include <mpi.h>
#include <omp.h>
static void part(void) { for (volatile int i = 0; i < 9; i++) continue; }
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
	for (int i = 0; i <= rank; i++)
		part();
	MPI_Finalize();
	return 0;
}
END
build ranks ranks.c -fopenmp --sis-cr=CR_P,CR_F,CR_OMP
run 2 2 ./ranks
# calls [ARGUMENT...]: of `part`, by process, thread and host
calls() {
	query '[.[] | select(.ratio == "C" and .region == "part") |
		"\(.process).\(.thread)=\(.value)" + if .host then "h" else "" end] | join(" ")' \
		ratio "$EXP" --define C=CALLS "$@"
}
equal "by processing unit" "$(calls)" "0.0=1 0.1=1 1.0=2 1.1=2"
equal "by process" "$(calls --by-process)" "0.null=2 1.null=4"
equal "by host" "$(calls --by-host)" "null.null=6h"
equal "of one thread of all processes" "$(calls --pu '*.1')" "0.1=1 1.1=2"
equal "of one process" "$(calls --pu 1 --by-process)" "1.null=4"
matches "as text, by process" \
	"$(analyze ratio "$EXP" --region part --by-process --define C=CALLS)" \
	'^part +CR_F +ranks.c:3 +1 +4 '
