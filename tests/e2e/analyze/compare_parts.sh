# SPDX-License-Identifier: BSD-3-Clause
# What made the difference between two runs: useful work and waits, by region and by call path, also
# if the numbers of processing units differ. All parts add up to the nanosecond.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

source_file step.c <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
static void spend(int ms) { usleep(ms * 1000); }
static void setup(void) { spend(20); }
static void solve(int ms) { spend(ms); }
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	setup();
	solve(rank == 0 ? atoi(argv[1]) : 50);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
build step step.c --sis-cr=CR_P,CR_F,CR_MPI
take() { # take NAME RANKS MS
	run "$2" 1 ./step "$3"
	analyze import "$EXP" --name "$1" >import.out
}
take even 2 50
take late 2 250
take wide 4 50

# part REGION OVERHEAD A B [ARGUMENT...]: difference in seconds
part() {
	region=$1 overhead=$2
	shift 2
	query "map(select(.region == \"$region\") | select(.overhead == \"$overhead\") |
		.difference) | add" compare "$@"
}
near "useful work, mean of the processing units" "$(part spend USEFUL even late --parts)" 0.1
near "a wait" "$(part MPI_Barrier OSYNC_MBAR even late --parts)" 0.1
near "useful work, their sum" "$(part spend USEFUL even late --parts --total)" 0.2
equal "these two come first" \
	"$(query '.[:2] | map(.region) | sort | join(" ")' compare even late --parts)" \
	"MPI_Barrier spend"
equal "by call path" \
	"$(query '.[:2] | map(.path) | sort | join(" ")' compare even late --paths)" \
	"main/MPI_Barrier main/solve/spend"
matches "named by its nearest caller" "$(analyze compare even late --paths)" \
	'^solve > spend +step.c'
equal "the same path in setup is as it was" \
	"$(query 'map(select(.path == "main/setup/spend" and .overhead == "USEFUL") |
		.difference | fabs < 0.03) | all' compare even late --paths)" true
for list in --parts --paths; do
	equal "the cause of the wait, $list" \
		"$(query '.[] | select(.region == "MPI_Barrier" and .overhead == "OSYNC_MBAR") |
			"\(.culprit) \(.cause) \(.cause_path)"' compare even late $list)" \
		"0.0 spend main/solve/spend"
done
matches "in text" "$(analyze compare even late)" \
	'^MPI_Barrier .* OSYNC_MBAR .* rank 0, thread 0 in solve > spend$'
equal "the other way round the cause is that of the longer wait" \
	"$(query '.[] | select(.region == "MPI_Barrier" and .overhead == "OSYNC_MBAR") |
		.cause_path' compare late even --parts)" main/solve/spend
sums() { # sums A B FACTOR [ARGUMENT...]: parts, and T_p or p * T_p, in ns
	a=$1 b=$2 factor=$3
	shift 3
	query '[map(.a), map(.b)] | map(map(. * 1e9 | round) | add | tostring) | join(" ")' \
		compare "$a" "$b" "$@"
	query "map({(.name): (.t_p * 1e9 | round | . * $factor)}) | add |
		[.$a, .$b] | map(tostring) | join(\" \")" list
}
equal "parts add up to T_p" "$(sums even late 1 --parts | uniq | wc -l)" 1
equal "also by call path" "$(sums even late 1 --paths | uniq | wc -l)" 1
equal "also of more processing units" "$(sums even wide 1 --parts | uniq | wc -l)" 1
query 'map({(.name): (.t_p * .p * 1e9 | round)}) | add | "\(.even) \(.wide)"' list >wanted
equal "sums add up to p * T_p" "$(sums even wide 1 --parts --total | head -n 1)" "$(cat wanted)"
matches "the headings say which T they hold" "$(analyze compare even late --parts)" \
	'A: T, mean \[s\] +B: T, mean \[s\] +difference \[s\] +of T_p of A +waits mostly for$'
matches "or their sum" "$(analyze compare even late --parts --total)" \
	'A: T, sum \[s\] +B: T, sum \[s\] +difference \[s\] +of p \* T_p of A +waits mostly for$'
matches "exclusive times of regions, too" "$(analyze compare even late --regions)" \
	'A: T_excl, mean \[s\] +B: T_excl, mean \[s\]'
matches "and the overheads" "$(analyze compare even late)" '^overhead +even mean \[s\] +late mean'
matches "other numbers of processing units are pointed out" "$(analyze compare even wide)" \
	'^Times are means of the processing units, of which A and B do not have the same number'
lacks "but not the same" "$(analyze compare even late)" '^Times are means'
one_error "a series has one number of processing units" 1 "'even' ran on 2 .*'wide' on 4" \
	"$ANALYZE" compare even,wide late --db "$T/sis.db"
equal "in CSV" "$(analyze compare even late --parts --csv | head -n 1)" \
	"region,path,type,file,line_start,overhead,a,b,difference,change,culprit,cause,cause_path"
