# SPDX-License-Identifier: BSD-3-Clause
# Times without probes: T_p less their cost on the critical path, regions less the cost in them.
# processor: it compares the times of a region and of its twin
. "$(dirname "$0")/../lib.sh"

# Process 0 and process 1 call f() so many times. Process 0 begins after process 1 has written a
# file, and so it is the one that the other waits for.
source_file pass.c <<'END'
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
volatile double x;
static void f(void) { x += 1; }
static void alone(void) { for (int i = 0; i < 10000000; i++) x += 1; }
static void many(long calls) { for (long i = 0; i < calls; i++) f(); }
int main(int argc, char **argv)
{
	int rank, size;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	while (rank == 0 && size > 1 && access("over", F_OK))
		usleep(10000);
	if (rank == 0)
		alone(), usleep(100000);
	many(atol(argv[rank + 1]));
	if (rank == 1)
		close(open("over", O_CREAT | O_WRONLY, 0600));
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
build pass pass.c -O1 --sis-cr=CR_P,CR_F
run 2 1 ./pass 10 3000000
early=$EXP
rm over
run 2 1 ./pass 3000000 10
late=$EXP
identity "the identity is of measured times"

# on_path: what the critical path has of the cost of all probes
on_path() {
	query '(.t_p - .t_p_without_probes) / (.overheads.OPROBE * .p)' overhead "$1"
}
check "probes that delay nobody stay in T_p" awk "BEGIN { exit !($(on_path "$early") < 0.5) }"
check "those on the critical path are taken" \
	awk "BEGIN { exit !($(on_path "$late") > 0.7 && $(on_path "$late") < 1.0001) }"
t_p=$(query .t_p_without_probes overhead "$late")
equal "report has the same T_p" "$(query .t_p_without_probes report "$late")" "$t_p"
equal "compare, too" "$(query '.[] | select(.overhead == "T_P_WITHOUT_PROBES") | .seconds' \
	compare "$late")" "$t_p"
equal "and speedup" "$(query '.[].seconds_without_probes' speedup "$late")" "$t_p"
# a difference of sums, in nanoseconds
off() { query "[.[] | select($1) | $2] | add * 1e9 | round" regions "$late"; }
costs() {
	query '.[].ns' sql "SELECT sum(o.ns) AS ns FROM overhead o JOIN drg_node n
		ON n.id = o.drg_node JOIN code_region r ON r.id = n.region
		WHERE o.leaf = 'OPROBE' AND r.name IN ($1) AND n.experiment =
		(SELECT id FROM experiment WHERE directory = '$late')"
}
equal "exclusive times are less by the probes of the region and of those called" \
	"$(off '.region == "many"' '.wtime_excl - .wtime_excl_without_probes')" \
	"$(costs "'many'")"
matches "in text, too" "$(analyze regions "$late" | head -n 1)" \
	' incl \[s\] +excl \[s\] .*without probes: incl +excl$'
lacks "not where probes cost next to nothing" \
	"$(analyze regions "$late" --unit alone | head -n 1)" 'without'
equal "inclusive ones by all that is below" \
	"$(off '.region == "many"' '.wtime_incl - .wtime_incl_without_probes')" \
	"$(costs "'many', 'f'")"
equal "of the whole, by all" \
	"$(off '.path == "run"' '.wtime_incl - .wtime_incl_without_probes')" \
	"$(query '.[].ns' sql "SELECT sum(o.ns) AS ns FROM overhead o JOIN drg_node n
		ON n.id = o.drg_node WHERE o.leaf = 'OPROBE' AND n.experiment =
		(SELECT id FROM experiment WHERE directory = '$late')")"
check "it is a name in expressions" test "$(query '[.[] | select(.region == "many") |
	select(.process == 0 and .ratio == "NET") | .value < 1][0]' ratio "$late" \
	--define 'NET = WTIME_WITHOUT_PROBES / WTIME')" = true
equal "of regions, speedup has it, too" \
	"$(query '.[] | .seconds_without_probes * 1e9 | round' speedup "$late" --region many)" \
	"$(query '[.[] | select(.region == "many") | .wtime_incl_without_probes] | max * 1e9 |
		round' regions "$late")"

# -- comparisons
analyze import "$late" --name late >import.out
analyze compare late late >same.txt 2>&1
matches "a run compared with itself shows no difference" "$(cat same.txt)" '^B takes as long as A'
lacks "also without probes" "$(cat same.txt)" '^Without probes.*(more|less)'
equal "a run against itself: its speedup" \
	"$(query '.[] | "\(.speedup_without_probes) \(.efficiency_without_probes)"' speedup late \
		--seq late)" "1 0.5"
run_alone 1 ./pass 3000000
analyze import "$EXP" --name alone --role seq >import.out
equal "T_s is without probes, too" \
	"$(query '.t_s > .t_s_without_probes and
		(.t_s - .t_s_without_probes - .t_p + .t_p_without_probes | fabs) < 1e-8' \
		overhead alone --seq alone)" true
matches "in text" "$(analyze report late --seq alone)" '^both without probes: speedup '
matches "the report says what T_p would be" "$(analyze report alone)" \
	'^Without the probes on the critical path T_p would be [0-9.]+ s.* from [0-9.]+ s to T_p\.$'
equal "and how short at least" \
	"$(query '.t_p_without_probes_least <= .t_p_without_probes' report alone)" true

# -- the report of a region has the region's times
equal "useful work and overheads of a region are its time" \
	"$(query '((.useful + .overheads.OTOTAL + .overheads.UNMEASURED - .t_p) * 1e9 |
		fabs < 100)' report late --region many)" true
equal "its efficiency is the region's" \
	"$(query '(.parallel_efficiency - .efficiencies.parallel_efficiency | fabs) < 1e-6' \
		report late --region alone)" true
equal "and so is its balance, not the run's" \
	"$(query '"\(.processing_units) \(.load_balance * 1000 | round)"' report late \
		--region alone)" "1 1000"
check "the run's is less" test "$(query '.load_balance < 0.999' report late)" = true

# -- regions of known length: a twin of each does the same and is not measured
SISC_CC=$CC build known --sis-cr=CR_F --sis-exclude='bare,work,twin_*,time_one,cpu_ns' -O2 \
	"$TOP/tests/bench/known.c"
run_alone 1 ./known compute 2000000 9
query '.[] | select(.region | startswith("region_")) | "\(.region[7:]) \(.calls) \(
	(.wtime_incl - .wtime_incl_without_probes) * 1e9 / .calls)"' regions "$EXP" >costs
# The cost of the probes in the region with a million children, as a part of the difference between
# the region and its twin: the median of the rounds. The children take some 3 ns each, because
# longer ones hide the probes on some processors.
taken=$(awk 'NR == FNR { cost[$1] = $3; next }
	$1 == 1000000 { printf "%.2f\n", cost[$1] / ($2 - $3) }' costs run.out |
	sort -n | sed -n 5p)
check "the cost of the probes of a million short children is taken" \
	awk "BEGIN { exit !($taken > 0.4 && $taken < 1.7) }"
matches "of no children, nothing to speak of" \
	"$(awk '$1 == 0 { print ($3 < 1000 ? "little" : $3) }' costs)" little

# -- an experiment without a critical path
"$CC" -O1 -o execute "$E2E/robust/execute.c" -lsqlite3 2>build.err ||
	give_up "execute is built" build.err
./execute sis.db "DELETE FROM critical_path" || give_up "the path is removed"
equal "without a critical path it is not known" \
	"$(query '"\(.t_p_without_probes)"' report late)" null
equal "of one unit it is" "$(query '.t_p_without_probes < .t_p' overhead alone)" true
check "gates work all the same" "$ANALYZE" compare late alone --db "$T/sis.db" --regions
