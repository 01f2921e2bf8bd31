# SPDX-License-Identifier: BSD-3-Clause
# What the sequential run and the parallel version on one unit explain: replicated code, change
# of algorithm, change by the compiler; for the program and by region. Where a leaf cannot be
# computed, the reason is shown.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

# Work is time asleep. kernel has the same tokens in both versions, and is slower in the parallel
# one, where a flag makes char unsigned. rebalance is new, and the tokens of main are others.
source_file work.h <<'END'
void setup(void);
void solve(int share);
void kernel(int share);
END
source_file work.c <<'END'
#include "work.h"
#include <unistd.h>
/* the file differs, the functions do not */
#define MORE(is_slower) ((is_slower) * 150000)
void setup(void) { usleep(300000); }
void solve(int share) { usleep(600000 / share); }
void kernel(int share) { usleep((600000 + MORE((char)-1 > 0)) / share); }
END
source_file seq.c <<'END'
#include "work.h"
int main(void) { setup(); solve(1); kernel(1); return 0; }
END
source_file par.c <<'END'
#include "work.h"
#include <mpi.h>
#include <unistd.h>
static void rebalance(int share) { usleep(300000 / share); }
int main(int argc, char **argv)
{
	int size;
	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	setup();
	rebalance(size);
	solve(size);
	kernel(size);
	MPI_Finalize();
	return 0;
}
END
build seq seq.c work.c --sis-cr=CR_P,CR_F
sed '/^\/\*/d' work.c >moved.c
build par par.c moved.c -funsigned-char -DUNUSED -Wall -g --sis-cr=CR_P,CR_F,CR_MPI
quiet() { "$@" >quiet.out 2>&1 || give_up "$*" quiet.out; }
run 2 1 ./par
quiet analyze import "$EXP" --name two --set application=known
value() { query ".overheads.$1" overhead two; }

# -- without a reference run: the reason is shown, and no value
equal "without a sequential run" \
	"$(query '[.t_s, .t_o, .overheads.OLOSS_REPL, .seq] | map(tostring) | join(" ")' overhead \
		two)" \
	"null null 0 null"
for leaf in OADD_ALGO OADD_COMP OLOSS_REPL OUNID; do
	matches "$leaf needs one" "$(query ".not_computed.$leaf" overhead two)" "sequential run"
done
# each leaf has a value that is not 0, or is 0 because nothing arose, or has its reason
every_leaf() {
	query '[.not_computed | to_entries[] | select(.value | length < 10)] | length' overhead two
}
equal "reasons are sentences" "$(every_leaf)" 0

# -- a sequential run: what is replicated. What the parallel version adds is not separate yet
run_alone 1 ./seq
quiet analyze import "$EXP" --name alone --role seq --set application=known
near "setup is replicated" "$(value OLOSS_REPL)" 0.15
near "the rest is unidentified" "$(value OUNID)" 0.225
equal "it is known of what" "$(query '.seq' overhead two)" alone
matches "the rest needs another run" "$(query .not_computed.OADD_ALGO overhead two)" "on one processing unit"

# -- and the parallel version on one unit
run 1 1 ./par
quiet analyze import "$EXP" --name one --role par1 --set application=known
near "setup is replicated still" "$(value OLOSS_REPL)" 0.15
near "rebalance is another algorithm" "$(value OADD_ALGO)" 0.15
near "kernel is the compiler's change" "$(value OADD_COMP)" 0.075
near "nothing much is unidentified" "$(value OUNID)" 0
equal "nothing of them is left out" \
	"$(query '.not_computed | keys - ["ODATA_L1", "ODATA_L2", "ODATA_L3", "ODATA_TLB",
	"ODATA_PGFLT", "OLOSS_IMB"] | length' overhead two)" 0
sums() { # PREFIX: the sum of a node's children is the node, exactly
	jq -rn --slurpfile o "$T/tree.json" --rawfile text "$TOP/schema/overheads.def" '
		[$text | scan("SIS_OVERHEAD\\(([A-Z0-9_]+), *([A-Z0-9_]+),") |
		{node: .[0], parent: .[1]}] as $tree |
		$o[0].overheads as $v | $tree[] | .node as $n |
		[$tree[] | select(.parent == $n) | $v[.node] * 1e9 | round] |
		select(length > 0) | select(add != ($v[$n] * 1e9 | round)) | "\($n) \(add)"'
}
analyze overhead two --json >tree.json
equal "nodes are their children's sums" "$(sums)" ""
equal "and the total is T_p - T_s/p" \
	"$(jq '.t_o * 1e9 | round' tree.json)" \
	"$(jq '(.overheads.OTOTAL * 1e9 | round)' tree.json)"
of() { query "[.[] | select(.region == \"$2\") | .seconds] | add" overhead two --overhead "$1"; }
near "by region: setup" "$(of OLOSS_REPL setup)" 0.15
near "by region: rebalance" "$(of OADD_ALGO rebalance)" 0.15
near "by region: kernel" "$(of OADD_COMP kernel)" 0.075
near "of a region: setup" \
	"$(query '[.[] | select(.overhead == "OLOSS_REPL") | .seconds] | add' overhead two \
		--region setup)" \
	0.15
near "of all that main calls" \
	"$(query '[.[] | select(.overhead == "OADD") | .seconds] | add' overhead two --region \
		main)" \
	0.225
near "unidentified adds up" \
	"$(query '[.[].seconds] | add' overhead two --overhead OUNID)" \
	"$(value OUNID)"
explain() { query ".[] | select(.region == \"$2\") | .rule" overhead two --explain "$1"; }
matches "setup is explained" \
	"$(explain OLOSS_REPL setup)" \
	'^2.0 processing units work 0.(2[5-9]|3)[0-9]* s each, one alone 0.(2[5-9]|3).*r = (1.0|0.9)'
matches "rebalance is explained" "$(explain OADD rebalance)" 'it is new'
matches "kernel is explained" "$(explain OADD kernel)" \
	'the text is the same; only the parallel version is built with -funsigned-char'
matches "what was measured, too" "$(explain OCTRL_MPIMGMT MPI_Init)" '^its own time'
equal "with its unit" \
	"$(query '[.[] | select(.region == "MPI_Init") | .process] | sort | join(" ")' overhead \
		two --explain OCTRL)" \
	"0 1"
near "an explanation is the whole" \
	"$(query '[.[].seconds] | add / 2' overhead two --explain OTOTAL)" \
	"$(value OTOTAL)"
equal "of one unit there is no loss" "$(query '.overheads.OLOSS_REPL' overhead one)" 0
near "but the same change" "$(query '.overheads.OADD' overhead one)" 0.45

# -- the user chooses the runs
quiet analyze import "$T/exp2" --name other --role par
equal "another sequential run" "$(query '.seq' overhead two --seq other)" other
matches "in the report, too" "$(query '.t_s' report two --seq other)" '^1.5'
one_error "one on two units is none" 1 "'two' ran on 2 processing units" \
	"$ANALYZE" overhead one --seq two --db "$T/sis.db"
one_error "an unknown one" 1 "no experiment 'none'" \
	"$ANALYZE" overhead two --par1 none --db "$T/sis.db"
one_error "two questions" 2 "answer different questions" \
	"$ANALYZE" overhead --explain OSYNC --by-pu --db "$T/sis.db"
one_error "an unknown leaf" 2 "unknown overhead 'OSINK'" \
	"$ANALYZE" overhead --explain OSINK --db "$T/sis.db"

# -- one text, built with and without OpenMP: regions that only one build has count for their
# function
source_file omp.c <<'END'
#include <unistd.h>
int main(void)
{
#pragma omp parallel
	usleep(300000);
#pragma omp parallel for
	for (int i = 0; i < 4; i++)
		usleep(150000);
	return 0;
}
END
build omp_seq omp.c
build omp_par omp.c -fopenmp
run_alone 1 ./omp_seq
quiet analyze import "$EXP" --role seq --set application=omp
run_alone 1 ./omp_par
quiet analyze import "$EXP" --role par1 --set application=omp
run_alone 2 ./omp_par
quiet analyze import "$EXP" --name threads --set application=omp
near "the parallel region is replicated" "$(query .overheads.OLOSS_REPL overhead threads)" 0.15
near "its text is no other algorithm" "$(query .overheads.OADD_ALGO overhead threads)" 0
near "nothing much is unidentified" "$(query .overheads.OUNID overhead threads)" 0

# -- waits for uneven work as loss of parallelism, on demand
source_file uneven.c <<'END'
#include <unistd.h>
int main(void)
{
#pragma omp parallel for schedule(static, 1)
	for (int i = 0; i < 2; i++)
		usleep(100000 + 300000 * i);
	return 0;
}
END
build uneven uneven.c -fopenmp
run_alone 2 ./uneven
near "a wait at a barrier" "$(query .overheads.OSYNC_IBAR overhead "$EXP")" 0.15
near "is imbalance" "$(query .overheads.OLOSS_IMB overhead "$EXP" --imbalance)" 0.15
equal "instead" \
	"$(query '.overheads | .OSYNC_IBAR, .OSYNC_S' overhead "$EXP" --imbalance | tr '\n' ' ')" \
	"0 0 "
