# SPDX-License-Identifier: BSD-3-Clause
# The metrics of sis-analyze regions: those of the run by themselves, chosen ones, and overheads.
. "$(dirname "$0")/../lib.sh"

source_file prog.c <<'END'
#include <omp.h>
#include <stdlib.h>
#include <string.h>
static void touch(int n) { char *p = malloc(n); memset(p, 1, n); free(p); }
static void down(int n) { if (n) down(n - 1); else touch(9 << 20); }
int main(void)
{
#pragma omp parallel
	{
		down(2);
#pragma omp critical
		touch(1 << 20);
	}
	return 0;
}
END
build prog prog.c -fopenmp --sis-cr=CR_P,CR_F,CR_OMP
SIS_PMETRIC=minflt,CTIME run_alone 2 ./prog
# headings: those of the metrics, which follow the times without probes
headings() { analyze regions "$EXP" "$@" | head -n 1 | sed 's/.*excl\( \[s\]\)\{0,1\} *//; s/  */ /g'; }
value() { # value REGION [ARGUMENT...]: in the last column
	region=$1
	shift
	analyze regions "$EXP" "$@" | awk -v r="$region" '$1 == r { print $NF }'
}
sum() { query "[.[] | select(.region == \"$1\") | .$2] | add" regions "$EXP"; }
outer() { query "[.[] | select(.path | test(\"$1\")) | .$2] | add" regions "$EXP"; }
equal "metrics beyond the default are columns" "$(headings)" "CTIME MINFLT"
equal "of the call graph, too" "$(headings --tree)" "CTIME MINFLT"
equal "several metrics in one list and in two, in any case" \
	"$(headings --metric minflt,Calls --metric osync)" "MINFLT CALLS OSYNC"
equal "a metric is the sum over processes and threads" "$(value touch --metric MINFLT)" \
	"$(sum touch metrics.MINFLT)"
equal "of a recursive region only that of the outermost activations" \
	"$(value down --metric MINFLT)" "$(outer '^main/omp parallel@[0-9]*/down$' metrics.MINFLT)"
equal "but of each node in the tree" "$(analyze regions "$EXP" --tree --metric MINFLT |
	awk '$1 == "down" { sum += $NF } END { print sum }')" "$(sum down metrics.MINFLT)"
equal "one thread" "$(value down --pu 0.1 --metric MINFLT)" \
	"$(query '[.[] | select(.thread == 1 and (.path | test("[0-9]/down$"))) | .metrics.MINFLT] |
		add' regions "$EXP")"
equal "calls" "$(value touch --metric calls)" "$(sum touch calls)"
check "an overhead includes what the region calls" awk \
	-v text="$(value main --metric OTOTAL --pu 0)" \
	-v json="$(query '.[0].seconds * 2' overhead "$EXP" --region main --overhead OTOTAL)" \
	'BEGIN { exit !(json > 0 && text - json < 2e-4 && json - text < 2e-4) }'
equal "it is a member of the metrics in --json" \
	"$(query '[.[] | .metrics | has("OSYNC") and has("MINT")] | unique | tostring' regions \
		"$EXP" --metric osync,mint)" "[true]"
equal "what was not measured is -" "$(value run)" "-"
equal "only regions where a metric was requested" \
	"$(query '[.[] | select(.region == "run")] | length' regions "$EXP" --metric CTIME)" 0
equal "all regions have overheads" \
	"$(query '[.[] | select(.region == "run")] | length > 0' regions "$EXP" \
		--metric CTIME,OSYNC)" true
matches "a metric is a column to sort by" \
	"$(analyze regions "$EXP" --metric MINFLT --sort minflt --top 1)" '^omp parallel@8 '
equal "columns of text have the names of --json, too" \
	"$(analyze regions "$EXP" --sort wtime_incl --top 3)" \
	"$(analyze regions "$EXP" --sort incl --top 3)"
run_alone 2 ./prog
equal "the default metrics are no columns" "$(headings)" ""
one_error "an unknown one in a list" 2 "regions: unknown metric 'MINFLD'; did you mean MINFLT" \
	"$ANALYZE" regions "$EXP" --metric CTIME,MINFLD
one_error "an empty one" 2 "regions: unknown metric ''" "$ANALYZE" regions "$EXP" --metric CTIME,
one_error "with the program's numbers" 2 "leave one out" "$ANALYZE" regions "$EXP" --values \
	--metric CTIME

# -- overheads are the same in all formats, with threads that were idle ----------------------------
source_file hybrid.c <<'END'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int rank, x = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2)
	usleep(1000);
	if (rank == 0) {
		usleep(50000);
		MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
END
build hybrid hybrid.c -O1 -fopenmp
run 2 2 ./hybrid
# of_lines: of lines `REGION<tab>SECONDS` the sum of each region, but for the blanks in its name
of_lines() {
	awk -F '\t' '{ gsub(/ /, "", $1); sum[$1] += $2 }
		END { for (r in sum) printf "%s %.6f\n", r, sum[r] }' | sort
}
# differ FILE FILE: the lines of the one that are not those of the other, but for rounding, which
# may add up to 3 microseconds of four rows and their sums
differ() {
	awk 'FNR == NR { sum[$1] = $2; n++; next }
		{ n--; d = $2 - sum[$1]; if (!($1 in sum) || d * d > 1e-11) print }
		END { if (n) print n " lines more" }' "$1" "$2"
}
for metric in OSYNC OLOSS OTOTAL; do
	analyze regions "$EXP" --metric $metric | tail -n +2 |
		sed 's/  .*[^0-9.]\([0-9.]*\)$/\t\1/' | of_lines >of.text
	query ".[] | [.region, .metrics.$metric] | @tsv" regions "$EXP" --metric $metric |
		of_lines >of.json
	analyze regions "$EXP" --metric $metric --csv | tail -n +2 |
		sed "s/,.*\"\"$metric\"\":\([0-9.]*\).*/\t\1/" | of_lines >of.csv
	equal "$metric of all regions is the same in text and JSON" "$(differ of.json of.text)" ""
	equal "and in CSV" "$(differ of.csv of.text)" ""
done
equal "an idle thread has a row" \
	"$(query '.[] | select(.region == "MPI_Recv") | "\(.process).\(.thread) \(.calls)"' \
		regions "$EXP" --metric OSYNC | sort | tr '\n' ' ')" "1.0 1 1.1 0 "
equal "but none without overheads" \
	"$(query '[.[] | select(.region == "MPI_Recv")] | length' regions "$EXP")" 1
source_file late.c <<'END'
#include <omp.h>
#include <unistd.h>
int main(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0)
		usleep(300000);
	return 0;
}
END
build late late.c -fopenmp
run_alone 2 ./late
equal "a thread that waited in a team has a row above it, too" \
	"$(query '.[] | select(.region == "main") | "\(.process).\(.thread) \(.calls)"' \
		regions "$EXP" --metric OSYNC | tr '\n' ' ')" "0.0 1 0.1 0 "
near "and the sum of both is that in text" \
	"$(query '[.[] | select(.region == "main") | .metrics.OSYNC] | add' regions "$EXP" \
		--metric OSYNC)" "$(value main --metric OSYNC)"
