# SPDX-License-Identifier: BSD-3-Clause
# Times without probes: T_p less their cost on the critical path, regions less the cost in them.
. "$(dirname "$0")/../lib.sh"

# Process 0 and process 1 call f() so many times; process 0 sleeps before, so that its end decides.
source_file pass.c <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
volatile double x;
static void f(void) { x += 1; }
static void many(long calls) { for (long i = 0; i < calls; i++) f(); }
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		usleep(500000);
	many(atol(argv[rank + 1]));
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
build pass pass.c -O1 --sis-cr=CR_P,CR_F
run 2 1 ./pass 10 300000
early=$EXP
run 2 1 ./pass 300000 10
late=$EXP
identity "the identity is of measured times"

# on_path: what the critical path has of the cost of all probes
on_path() {
	query '(.t_p - .t_p_without_probes) / (.overheads.OPROBE * .p)' overhead "$1"
}
check "probes that delay nobody stay in T_p" awk "BEGIN { exit !($(on_path "$early") < 0.5) }"
check "those on the critical path are taken" \
	awk "BEGIN { exit !($(on_path "$late") > 0.7 && $(on_path "$late") < 1.0001) }"
equal "all commands have the same T_p" \
	"$(query .t_p_without_probes report "$late") $(query '.[] |
		select(.overhead == "T_P_WITHOUT_PROBES") | .seconds' compare "$late") $(query '.[] |
		.seconds_without_probes' speedup "$late")" \
	"$(query '"\(.t_p_without_probes) \(.t_p_without_probes) \(.t_p_without_probes)"' \
		overhead "$late")"
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
equal "inclusive ones by all that is below" \
	"$(off '.region == "many"' '.wtime_incl - .wtime_incl_without_probes')" \
	"$(costs "'many', 'f'")"
equal "of the whole, by all" \
	"$(off '.path == "run"' '.wtime_incl - .wtime_incl_without_probes')" \
	"$(query '.[].ns' sql "SELECT sum(o.ns) AS ns FROM overhead o JOIN drg_node n
		ON n.id = o.drg_node WHERE o.leaf = 'OPROBE' AND n.experiment =
		(SELECT id FROM experiment WHERE directory = '$late')")"
check "it is a name in expressions" awk "BEGIN { exit !($(query '[.[] |
	select(.region == "many" and .process == 0 and .ratio == "NET") | .value][0]' ratio "$late" \
		--define 'NET = WTIME_WITHOUT_PROBES / WTIME') < 1) }"
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
equal "T_s is without probes, too" \
	"$(run_alone 1 ./pass 300000 && analyze import "$EXP" --name alone --role seq >import.out &&
		query '.t_s > .t_s_without_probes and .t_s_without_probes ==
			(.t_s - .t_p + .t_p_without_probes)' overhead alone --seq alone)" true
matches "in text" "$(analyze report late --seq alone)" '^both without probes: speedup '
matches "the report says what T_p would be" "$(analyze report alone)" \
	'^Without the probes on the critical path T_p would be 0\.'

# -- the report of a region has the region's times
equal "useful work and overheads of a region are its time" \
	"$(query '((.useful + .overheads.OTOTAL + .overheads.UNMEASURED - .t_p) * 1e9 |
		fabs < 100)' report late --region many)" true
equal "its efficiency is the region's" \
	"$(query '(.parallel_efficiency - .efficiencies.parallel_efficiency | fabs) < 1e-6' \
		report late --region f)" true
balance=$(query .load_balance report late --region f)
check "and so is its balance, not the run's" awk "BEGIN { exit !($balance < 0.6) }"

# -- an experiment of an older sis-analyze
"$CC" -O1 -o execute "$E2E/robust/execute.c" -lsqlite3 2>build.err ||
	give_up "execute is built" build.err
./execute sis.db "DELETE FROM critical_path" || give_up "the path is removed"
equal "without a critical path it is not known" \
	"$(query '"\(.t_p_without_probes)"' report late)" null
equal "of one unit it is" "$(query '.t_p_without_probes < .t_p' overhead alone)" true
check "gates work all the same" "$ANALYZE" compare late alone --db "$T/sis.db" --regions
