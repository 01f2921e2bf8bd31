# SPDX-License-Identifier: BSD-3-Clause
# The page of `report`: percentages that add up, small leaves folded, regions apart from the begin
# and end of MPI, efficiencies of regions, and the report of one region.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

source_file page.c <<'END'
#include <mpi.h>
#include <unistd.h>
static void uneven(int rank) { usleep(100000 + 200000 * rank); }
static void even(void) { usleep(200000); }
static void solve(int rank)
{
	uneven(rank);
	MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	solve(rank);
	even();
	MPI_Finalize();
	return 0;
}
END
build page page.c -O1
run 2 1 ./page
equal "runs" $run_status 0
analyze report "$EXP" >report.txt

# sums FILE: whether all percentages of the tree in the file add up, line by line below each parent
sums() {
	awk '/seconds +(of T_p|of it)$/ { on = 1; next }
		on && (!/ %  / || /^$/ || /^total identified/) { on = 0 }
		on {
			match($0, /^ */); depth = RLENGTH / 2
			match($0, /-?[0-9.]+ %  /); tenths = substr($0, RSTART, RLENGTH) * 10
			n++; of[n] = depth; value[n] = tenths
		}
		END {
			top = 0
			for (i = 1; i <= n; i++) if (of[i] == 0) top += value[i]
			if (top < 999.5 || top > 1000.5) print "top " top
			for (i = 1; i <= n; i++) {
				sum = 0; children = 0
				for (k = i + 1; k <= n && of[k] > of[i]; k++)
					if (of[k] == of[i] + 1) { sum += value[k]; children++ }
				if (children && (sum - value[i] > 0.5 || value[i] - sum > 0.5))
					print "line " i ": " sum " of " value[i]
			}
			print (n > 5 ? "all" : "too few lines")
		}' "$1"
}
equal "percentages add up" "$(sums report.txt)" all
matches "small leaves are one line" "$(cat report.txt)" \
	'^ *[0-9]+ smaller +0\.[0-9]+ +[0-9.]+ %  [A-Z_]+, '
analyze overhead "$EXP" >overhead.txt
lacks "the command overhead shows all" "$(cat overhead.txt)" smaller
equal "which add up, too" "$(sums overhead.txt)" all

worst=$(sed -n '/^The worst/,/^What to do/p' report.txt)
lacks "the begin and end of MPI are no region to change" "$worst" '^MPI_(Init|Finalize) +page'
matches "but are counted" "$worst" '^MPI_Init and MPI_Finalize, which are not listed, took 0\.'

# -- efficiencies of regions: uneven works 0.1 and 0.3 s
region() { query ".regions[] | select(.region == \"$1\") | $2" report "$EXP"; }
equal "a region has its load balance" \
	"$(region uneven '.mpi_load_balance | . > 0.62 and . < 0.72')" true
equal "which is its efficiency" \
	"$(region uneven '.parallel_efficiency | . > 0.62 and . < 0.72')" true
equal "a balanced region" "$(region even '.parallel_efficiency > 0.95')" true
equal "waits for a region count for what calls both" \
	"$(region solve '.parallel_efficiency | . > 0.6 and . < 0.72')" true
matches "in text" "$(cat report.txt)" '^uneven +page\.c:3 +[0-9.]+ % +2 +[67][0-9]\.[0-9] %'

# -- the report of one region
analyze report "$EXP" --region solve >region.txt
matches "says of what it is" "$(head -n 1 region.txt)" \
	'^solve \(page\.c:5\) in .*, with all that it calls$'
equal "its percentages add up" "$(sums region.txt)" all
near "its useful work" "$(query .useful report "$EXP" --region solve)" 0.2
near "its waits" "$(query .overheads.OSYNC_MBAR report "$EXP" --region solve)" 0.1
lacks "without what others do" "$(cat region.txt)" '^even '
matches "its advice" "$(cat region.txt)" \
	'^(1\. )?uneven .* makes others wait in (solve > )?MPI_Barrier \(page\.c:8\), OSYNC_MBAR'
equal "all of the program is the run, but for its begin and end" \
	"$(query '.useful * 100 | round' report "$EXP" --region main)" \
	"$(query '.useful * 100 | round' report "$EXP")"
equal "a place is a name, too" "$(query .region report "$EXP" --region page.c:5)" solve
equal "so is a line" "$(query .region report "$EXP" --region MPI_Barrier@8)" MPI_Barrier
one_error "a name that is not there" 1 "no region 'slove' in this experiment" \
	"$ANALYZE" report "$EXP" --region slove --db "$T/sis.db"
one_error "a name of several" 1 \
	"2 regions are named 'MPI_Barrier': MPI_Barrier .page.c:8., MPI_Barrier .page.c:15." \
	"$ANALYZE" report "$EXP" --region MPI_Barrier --db "$T/sis.db"

one_error "a call path" 1 "'solve > MPI_Barrier' is a call path; name its region" \
	"$ANALYZE" report "$EXP" --region 'solve > MPI_Barrier' --db "$T/sis.db"

# -- which experiment it is
equal "the only experiment needs no name" "$(analyze report 2>&1 >/dev/null)" ""
run 2 1 ./page
analyze import "$EXP" >import.out
matches "the newest of several is named" "$(analyze overhead 2>&1 >/dev/null)" \
	"^sis-analyze: $(basename "$EXP"), the newest of 2 experiments$"
equal "not in JSON" "$(analyze overhead --json 2>&1 >/dev/null)" ""

# -- with a sequential run
source_file part.c <<'END'
#include <unistd.h>
int main(void)
{
#pragma omp parallel
	usleep(200000);
	usleep(100000);
	return 0;
}
END
build part part.c -fopenmp
run_alone 1 ./part
analyze import "$EXP" --role seq >import.out
run_alone 2 ./part
analyze report "$EXP" >report.txt
equal "percentages add up with T_s/p" "$(sums report.txt)" all
matches "which is a line" "$(cat report.txt)" '^T_s/p +0\.1[0-9]+ '
matches "and a note on leaves that are useful work" "$(cat report.txt)" \
	'^The useful work is 0\.2[0-9]* s: T_s/p, and beyond it OLOSS_REPL, OADD_ALGO'
